import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Objects made by known callers: how many of each class by each path of this class's methods (those of others, and lambdas, left
 * out), leaf first. Prints one line a path: class, count, methods.
 *
 *     Paths ROUNDS
 */
public class Paths {
    static class Node { long a; }
    static class Leaf { long a, b; }
    static class Thing { int a; }
    static class Made { int a; }
    static class Copied implements Cloneable {
        int a;

        Copied copy() throws CloneNotSupportedException {
            return (Copied) clone();
        }
    }
    static class Built { int a; public Built() { } }
    static class Virtual { int a; }
    static class Deep { int a; }
    static class Thrown extends RuntimeException {
        Thrown() { super(null, null, false, false); }
    }
    static class Early {
        static int n;
        static final Made[] made = new Made[1];
        static { for (int i = 0; i < 3; i++) made[0] = new Made(); }
    }

    static volatile Object sink;
    static final Map<String, Long> truth = new LinkedHashMap<>();

    static void told(String type, long n, String path) {
        synchronized (truth) {
            truth.merge(type + " " + path, n, Long::sum);
        }
    }

    // Callers, three deep.

    static void leaf(int n) {
        for (int i = 0; i < n; i++)
            sink = new Node();
    }
    static void b(int n) { leaf(n); }
    static void c(int n) { b(n); }
    static void a1() { b(7); }
    static void a2() { b(3); leaf(2); }
    static void a3() { c(5); b(1); }

    static void callers() {
        a1();
        a2();
        a3();
        told("Paths$Node", 7, "leaf b a1 callers");
        told("Paths$Node", 3, "leaf b a2 callers");
        told("Paths$Node", 2, "leaf a2 callers");
        told("Paths$Node", 5, "leaf b c a3 callers");
        told("Paths$Node", 1, "leaf b a3 callers");
    }

    // Recursion.

    static void down(int n) {
        if (n == 0)
            sink = new Leaf();
        else
            down(n - 1);
    }

    static void recursion() {
        for (int depth = 0; depth < 6; depth++) {
            down(depth);
            StringBuilder path = new StringBuilder();
            for (int i = 0; i <= depth; i++)
                path.append("down ");
            told("Paths$Leaf", 1, path + "recursion");
        }
    }

    // Lambdas.

    static Object get(Supplier<Object> s) { return s.get(); }
    static Object thing() { return new Thing(); }
    static void lambda1() { sink = get(() -> thing()); }
    static void lambda2() {
        for (int i = 0; i < 4; i++)
            sink = get(Paths::thing);
    }

    static void lambdas() {
        lambda1();
        lambda2();
        told("Paths$Thing", 1, "thing get lambda1 lambdas");
        told("Paths$Thing", 4, "thing get lambda2 lambdas");
    }

    // Arrays.

    static Object array(int n) { return new Node[n]; }
    static Object square(int n) { return new Leaf[n][n]; }
    static void array1() { for (int i = 0; i < 3; i++) sink = array(i); }
    static void array2() { sink = array(100); sink = square(4); }

    static void arrays() {
        array1();
        array2();
        told("Paths$Node[]", 3, "array array1 arrays");
        told("Paths$Node[]", 1, "array array2 arrays");
        told("Paths$Leaf[][]", 1, "square array2 arrays");
        told("Paths$Leaf[]", 4, "square array2 arrays");
    }

    // Clones.

    static final Copied original = new Copied();
    static final Thing[] things = new Thing[5];

    static void clone1() throws Exception { sink = original.copy(); }
    static void clone2() throws Exception { sink = original.copy(); sink = original.copy(); sink = things.clone(); }

    static void clones() throws Exception {
        clone1();
        clone2();
        told("Paths$Copied", 1, "copy clone1 clones");
        told("Paths$Copied", 2, "copy clone2 clones");
        told("Paths$Thing[]", 1, "clone2 clones");
    }

    // Reflection.

    static final Method make;
    static final Constructor<Built> build;
    static {
        try {
            make = Paths.class.getDeclaredMethod("made");
            build = Built.class.getConstructor();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
    public static Object made() { return new Made(); }
    static void reflect1() throws Exception { sink = make.invoke(null); }
    static void reflect2() throws Exception {
        for (int i = 0; i < 3; i++)
            sink = make.invoke(null);
        sink = build.newInstance();
    }

    static void reflection() throws Exception {
        reflect1();
        reflect2();
        told("Paths$Made", 1, "made reflect1 reflection");
        told("Paths$Made", 3, "made reflect2 reflection");
        told("Paths$Built", 1, "reflect2 reflection");
    }

    // Exceptions: what is made while one is under way.

    static void raise(int n) {
        if (n == 0)
            throw new Thrown();
        try {
            raise(n - 1);
        } finally {
            sink = new Thing[n];
        }
    }

    static void exceptions() {
        try {
            raise(2);
        } catch (Thrown e) {
            sink = e;
        }
        told("Paths$Thrown", 1, "raise raise raise exceptions");
        told("Paths$Thing[]", 1, "raise raise exceptions");
        told("Paths$Thing[]", 1, "raise exceptions");
    }

    // A class that the VM itself begins.

    static void early() {
        Early.n++;
        told("Paths$Made", 3, "<clinit> early");
        told("Paths$Made[]", 1, "<clinit> early");
    }

    // Virtual threads.

    static void light(int n, boolean rest) {
        for (int i = 0; i < n; i++) {
            if (rest)
                Thread.yield();
            sink = new Virtual();
        }
    }
    static void mounted() { light(5, false); }
    static void resting() { light(5, true); }

    static void virtual(int rounds) throws Exception {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        Class.forName("Paths$Virtual"); // else one of the threads loads it, which makes many objects
        for (int i = 0; i < rounds; i++) {
            Runnable what = i % 2 == 0 ? Paths::mounted : Paths::resting;
            ((Thread) start.invoke(null, what)).join();
            told("Paths$Virtual", 5, "light " + (i % 2 == 0 ? "mounted" : "resting"));
        }
    }

    // Deeper than is recorded.

    static void fall(int n) {
        if (n == 0)
            sink = new Deep();
        else
            fall(n - 1);
    }

    static void deep() {
        fall(1000);
        told("Paths$Deep", 1, "deep");
    }

    static void round() throws Exception {
        callers();
        recursion();
        lambdas();
        arrays();
        clones();
        reflection();
        exceptions();
        deep();
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        told("Paths$Copied", 1, "<clinit>");
        told("Paths$Thing[]", 1, "<clinit>");
        early();
        for (int i = 0; i < rounds; i++)
            round();
        int release = Integer.parseInt(System.getProperty("java.specification.version"));
        if (release >= 21)
            virtual(rounds / 10);
        if (release >= 26)
            Thread.sleep(2000); // it tells of no more code once it ends, and of this a moment late
        for (Map.Entry<String, Long> e : truth.entrySet())
            System.out.println(e.getValue() + " " + e.getKey());
    }
}
