/**
 * Ends in one of several ways, with a heap that is full to the brim or not, and says how many Things it made before.
 *
 * java Ends full|free return|exit|halt|throw|native|wait [LIBRARY]
 */
public class Ends {
    static final class Thing {
        final Thing next;

        Thing(Thing next) {
            this.next = next;
        }
    }

    static final int FEW = 20000;
    static Thing things;
    static Object[] ballast;

    static native void leave(int status);

    static void make(int count) {
        for (int i = 0; i < count; i++)
            things = new Thing(things);
    }

    /** Until not even the smallest object finds room. */
    static void fill() {
        for (int length = 1 << 16; length > 0; length /= 2)
            try {
                for (;;) {
                    Object[] more = new Object[length];
                    more[0] = ballast;
                    ballast = more;
                }
            } catch (OutOfMemoryError e) {
                continue;
            }
    }

    public static void main(String[] args) throws java.io.IOException {
        if (args.length > 2)
            System.load(args[2]);
        make(FEW);
        System.out.println("things " + FEW);
        System.out.flush();
        if (args[0].equals("full"))
            fill();
        switch (args[1]) {
            case "exit": System.exit(3); break;
            case "halt": Runtime.getRuntime().halt(4); break;
            case "throw": throw new IllegalStateException();
            case "native": leave(5); break;
            case "wait": System.in.read(); break;
            default: break;
        }
    }
}
