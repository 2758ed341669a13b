import java.io.InputStream;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sheds classes, and compiled code with them, twice a second, until a line comes on its stdin. What it compiles is full of small
 * methods of the JDK's that everybody uses.
 */
public class Shed {
    static volatile Object sink;
    static volatile long sum;
    static final AtomicBoolean turn = new AtomicBoolean(), over = new AtomicBoolean();

    static class Loader extends ClassLoader {
        Loader() {
            super(null);
        }

        Class<?> leaf(byte[] bytes) {
            return defineClass("Leaf", bytes, 0, bytes.length);
        }
    }

    static void work() {
        while (!over.get()) {
            long all = 0;
            for (int i = 0; i < 20000; i++) {
                turn.compareAndSet(i % 3 == 0, i % 5 == 0);
                all += turn.get() ? i : 1;
                sink = new long[i % 16];
            }
            sum += all;
        }
    }

    static void shed(byte[] bytes) throws Exception {
        for (int i = 0; i < 20; i++)
            sink = new Loader().leaf(bytes).getDeclaredConstructor().newInstance();
        sink = null;
        System.gc();
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes;
        try (InputStream in = Leaf.class.getResourceAsStream("Leaf.class")) {
            bytes = in.readAllBytes();
        }
        Thread worker = new Thread(Shed::work);
        worker.start();
        System.out.println("ready");
        while (System.in.available() == 0) {
            shed(bytes);
            Thread.sleep(500);
        }
        over.set(true);
        worker.join();
        System.out.println("sum " + sum);
    }
}
