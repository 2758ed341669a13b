import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Code that does not stay: classes that come and go and undo what the compiler assumed, stacks that overflow, exceptions through
 * many frames. Prints how many objects were made by each path, as Paths does.
 *
 *     Upset ROUNDS
 */
public class Upset {
    static class Mark { long a; }
    static class Bottom { long a; }
    static class Caught { long a; }

    public abstract static class Shape {
        public abstract Object make(int n);

        Object twice(int n) {
            make(n);
            return make(n);
        }
    }

    public static class Round extends Shape {
        public Object make(int n) {
            return new long[n & 7];
        }
    }

    static volatile Object sink;
    static final AtomicLong marks = new AtomicLong(), bottoms = new AtomicLong(), caught = new AtomicLong();

    /** Loads Round anew. */
    static class Loader extends ClassLoader {
        Loader() { super(Upset.class.getClassLoader()); }

        Class<?> fresh() throws Exception {
            try (InputStream in = Upset.class.getResourceAsStream("Upset$Round.class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass("Upset$Round", bytes, 0, bytes.length);
            }
        }
    }

    static void use(Shape s, int n) {
        for (int i = 0; i < n; i++) {
            sink = s.twice(i);
            mark();
        }
    }

    static void mark() {
        sink = new Mark();
    }

    static void shapes(int rounds) throws Exception {
        for (int i = 0; i < rounds; i++) {
            use((Shape) new Loader().fresh().getConstructor().newInstance(), 2000);
            marks.addAndGet(2000);
        }
    }

    static void fall(int n) {
        long[] here = new long[4];
        fall(n + 1);
        sink = here;
    }

    static void overflow(int rounds) {
        for (int i = 0; i < rounds; i++) {
            try {
                fall(0);
            } catch (StackOverflowError e) {
                sink = new Bottom();
                bottoms.incrementAndGet();
            }
        }
    }

    static void dig(int n) throws InvocationTargetException {
        if (n == 0)
            throw new InvocationTargetException(null);
        dig(n - 1);
    }

    static void raise(int rounds) {
        for (int i = 0; i < rounds * 100; i++) {
            try {
                dig(i % 60);
            } catch (InvocationTargetException e) {
                sink = new Caught();
                caught.incrementAndGet();
            }
        }
    }

    interface Task { void run() throws Exception; }

    static Thread start(Task task) {
        Thread t = new Thread(() -> {
            try {
                task.run();
            } catch (Exception e) {
                e.printStackTrace();
            }
        });
        t.start();
        return t;
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        Thread[] all = {start(() -> shapes(rounds)), start(() -> shapes(rounds)), start(() -> overflow(rounds)),
            start(() -> raise(rounds))};
        for (Thread t : all)
            t.join();
        System.out.println(marks + " Upset$Mark mark use shapes");
        System.out.println(bottoms + " Upset$Bottom overflow");
        System.out.println(caught + " Upset$Caught raise");
    }
}
