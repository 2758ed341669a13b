/** A tenth of many small objects is kept for a while, and no more: Parallel makes the young generation smaller, pause by pause. OBJECTS. */
public class Shrinks {
    private static final class Node {
        long a, b;
        Object c;
    }

    private static final Object[] keep = new Object[20_000];
    private static volatile Object dropped;

    public static void main(String[] args) {
        int objects = Integer.parseInt(args[0]);
        for (int i = 0; i < objects; i++) {
            Node n = new Node();
            dropped = n;
            if (i % 10 == 0)
                keep[i / 10 % keep.length] = n;
            if (i % 1000 == 0)
                dropped = new byte[2000];
        }
    }
}
