import java.io.BufferedReader;
import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Closes descriptors that are not its own, by their numbers, and opens files and sockets of its own until one has such a number. Told by lines on
 * stdin, and answers each with `ok` and what there is to say.
 *
 * java --add-opens java.base/java.io=ALL-UNNAMED --add-opens java.base/sun.nio.ch=ALL-UNNAMED Fds
 */
public class Fds {
    private static final long PATIENCE = 30_000_000_000L;
    private static final List<Object> kept = new ArrayList<>();
    private static final List<RandomAccessFile> files = new ArrayList<>();
    private static ServerSocketChannel server;
    private static long patience;
    private static Object[] things = new Object[1000];

    private static Field field(Class<?> of, String name) throws ReflectiveOperationException {
        Field f = of.getDeclaredField(name);
        f.setAccessible(true);
        return f;
    }

    private static int number(FileDescriptor fd) throws ReflectiveOperationException {
        return field(FileDescriptor.class, "fd").getInt(fd);
    }

    private static void close(int number) throws ReflectiveOperationException, IOException {
        FileDescriptor fd = new FileDescriptor();
        field(FileDescriptor.class, "fd").setInt(fd, number);
        new FileInputStream(fd).close();
    }

    /** What was opened for the sake of its number: kept where lower ones would be given again, or where `mine`. */
    private static boolean keep(boolean mine, int number, int highest, Closeable opened) throws IOException {
        if (mine || number < highest)
            kept.add(opened);
        else
            opened.close(); // another thread has what we want, and gives it back: ours must not be in the way of the next
        if (!mine && System.nanoTime() > patience)
            throw new IOException("asked for " + highest + " and lower, and did not get them");
        return mine;
    }

    /** The files that have the numbers. */
    private static String take(SortedSet<Integer> numbers, String path) throws ReflectiveOperationException, IOException {
        StringBuilder names = new StringBuilder();
        while (!numbers.isEmpty()) {
            String name = path + "." + kept.size();
            RandomAccessFile file = new RandomAccessFile(name, "rw");
            int number = number(file.getFD());
            if (!keep(numbers.contains(number), number, numbers.last(), file))
                continue;
            numbers.remove(number);
            file.writeBytes("mine\n");
            files.add(file);
            names.append(name).append(' ');
        }
        return names.toString();
    }

    /** The port of the server that has the number. */
    private static String listen(int number) throws ReflectiveOperationException, IOException {
        int had;
        do {
            server = ServerSocketChannel.open();
            had = number((FileDescriptor) field(server.getClass(), "fd").get(server));
        } while (!keep(had == number, had, number, server));
        server.configureBlocking(false);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return "" + ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    /** Who has come, unless somebody else let them in. */
    private static void greet() throws IOException {
        try (SocketChannel client = server.accept()) {
            if (client != null)
                client.write(ByteBuffer.wrap("hello\n".getBytes(StandardCharsets.US_ASCII)));
        }
    }

    private static void work(int kilobytes) {
        for (int i = 0; i < kilobytes; i++)
            things[i % things.length] = new byte[1000];
    }

    private static SortedSet<Integer> numbers(String[] told, int from) {
        SortedSet<Integer> numbers = new TreeSet<>();
        for (int i = from; i < told.length; i++)
            numbers.add(Integer.valueOf(told[i]));
        return numbers;
    }

    private static String answer(String[] told) throws ReflectiveOperationException, IOException {
        patience = System.nanoTime() + PATIENCE;
        switch (told[0]) {
            case "close": close(Integer.parseInt(told[1])); return "";
            case "take": return take(numbers(told, 2), told[1]);
            case "warm": ServerSocketChannel.open().close(); return "";
            case "listen": return listen(Integer.parseInt(told[1]));
            case "greet": greet(); return "";
            case "work": work(Integer.parseInt(told[1])); return "";
            case "write":
                for (RandomAccessFile file : files)
                    file.writeBytes("more\n");
                return "";
            default: throw new IOException("what is " + told[0]);
        }
    }

    public static void main(String[] args) throws ReflectiveOperationException, IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (String line; (line = in.readLine()) != null && !line.equals("end");)
            System.out.println(("ok " + answer(line.split(" "))).trim());
    }
}
