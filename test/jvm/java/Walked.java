/** Keeps every second of its nodes, while a tool walks the heap: LIBRARY ROUNDS WALKS whole|object|broken. */
public class Walked {
    private static final int ROUND = 200_000; // nodes; kept for two rounds

    private static final class Node {
        long a, b;
    }

    private static final Node[] keep = new Node[ROUND];
    private static volatile Node dropped;

    static native int walk(Object from, int most);

    private static void make(int round) {
        for (int i = 0; i < ROUND; i++) {
            Node n = new Node();
            if (i % 2 == 0)
                keep[round % 2 * (ROUND / 2) + i / 2] = n;
            else
                dropped = n;
        }
    }

    /** Broken off among the nodes: there are not so many others. */
    private static int walk(String how) {
        return walk(how.equals("object") ? keep : null, how.equals("broken") ? ROUND * 3 / 4 : 0);
    }

    public static void main(String[] args) {
        System.load(args[0]);
        int rounds = Integer.parseInt(args[1]), walks = Integer.parseInt(args[2]);
        for (int i = 0; i < rounds; i++) {
            make(i);
            if (i % (rounds / walks) == 1 && walk(args[3]) <= 0)
                throw new IllegalStateException("the walk came to nothing");
        }
    }
}
