/** Objects by more call paths than there is room for, one by each, and then by one path all others: DEPTH OBJECTS. */
public class Branches {
    static class Leaf { long a; }
    static class Steady { long a; }

    private static volatile Object made;

    private static void left(int turns, int depth) { go(turns, depth); }
    private static void right(int turns, int depth) { go(turns, depth); }

    private static void go(int turns, int depth) {
        if (depth == 0)
            made = new Leaf();
        else if ((turns & 1) == 0)
            left(turns >> 1, depth - 1);
        else
            right(turns >> 1, depth - 1);
    }

    private static void steady() { made = new Steady(); }

    public static void main(String[] args) {
        int depth = Integer.parseInt(args[0]), objects = Integer.parseInt(args[1]);
        for (int turns = 0; turns < 1 << depth; turns++)
            go(turns, depth);
        for (int i = 0; i < objects; i++)
            steady();
        System.out.println((1 << depth) + " Branches$Leaf go\n" + objects + " Branches$Steady steady");
    }
}
