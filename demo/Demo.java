import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A web shop without the web: every kind of object life that `mayfly report` can show, in one file.
 * Each method says how long its objects live, so that the report can be held against it.
 *
 * It serves about 12000 requests a second for 10 s (or as many seconds as its argument says), which
 * is some 350 MB/s of garbage: with -Xmx256m dozens of collections.
 */
public class Demo {
	static final int REQUESTS_PER_TICK = 120, TICK_MS = 10;

	/** Lives for the whole run: loaded at the start, never let go. */
	static final Map<Integer, Product> catalogue = new HashMap<>();

	/** The last 9000 requests, under a second of them: each lives for a few collections, then leaves in order. */
	static final ArrayDeque<Request> recent = new ArrayDeque<>();

	/** 800 sessions: the longest unused is thrown out, after some 4 s and a dozen collections. */
	static final LinkedHashMap<Integer, Session> sessions = new LinkedHashMap<>(4096, 0.75f, true) {
		@Override
		protected boolean removeEldestEntry(Map.Entry<Integer, Session> eldest) {
			return size() > 800;
		}
	};

	/** The leak: every 40th request adds a line, and nobody ever reads them. */
	static final List<AuditLine> audit = new ArrayList<>();

	static class Product {
		final byte[] picture;

		Product(byte[] picture) {
			this.picture = picture;
		}
	}

	static class Request {
		final int number;
		final String path;
		final byte[] body = new byte[2048];

		Request(int number, String path) {
			this.number = number;
			this.path = path;
		}
	}

	static class Session {
		final byte[] basket = new byte[24 * 1024];
	}

	static class AuditLine {
		final byte[] text = new byte[8192];
	}

	/** One line of code, two callers, two lives: a page's buffer dies at once, a picture's never. */
	static byte[] allocate(int size) {
		return new byte[size];
	}

	/** Immortal: 3000 pictures, 24 MB, through allocate(). */
	static void loadCatalogue() {
		for (int id = 0; id < 3000; id++)
			catalogue.put(id, new Product(allocate(8192)));
	}

	/** Dies at once: the page is sent and forgotten. The bulk of all garbage, through allocate(). */
	static int render(Request request, Product product) {
		byte[] page = allocate(24 * 1024);
		page[request.number % page.length] = product.picture[0];
		return page.length + header(request).length();
	}

	/** Dies at once: strings on the way to another string. */
	static String header(Request request) {
		return "HTTP/1.1 200 OK\r\nX-Request: " + request.number + "\r\nX-Path: " + request.path + "\r\n\r\n";
	}

	/** Lives for a few collections: what the ring holds. */
	static Request receive(int number) {
		Request request = new Request(number, "/product/" + number % catalogue.size());
		recent.addLast(request);
		if (recent.size() > 9000)
			recent.removeFirst();
		return request;
	}

	/** Lives long, then dies: a session stays for as long as its user comes back. */
	static Session sessionOf(int user) {
		return sessions.computeIfAbsent(user, u -> new Session());
	}

	/** Never dies: the leak. */
	static void auditEvery40th(Request request) {
		if (request.number % 40 == 0)
			audit.add(new AuditLine());
	}

	static int serve(int number) {
		Request request = receive(number);
		/* Every 60th request comes from a new user; the others from one of the last 700. */
		int newest = number / 60;
		sessionOf(number % 60 == 0 ? newest : Math.max(0, newest - number * 31 % 700));
		auditEvery40th(request);
		return render(request, catalogue.get(number % catalogue.size()));
	}

	public static void main(String[] args) throws InterruptedException {
		int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 10;
		long sent = 0;
		int number = 0;
		loadCatalogue();
		System.out.println("The shop is open for " + seconds + " s");
		long end = System.nanoTime() + seconds * 1_000_000_000L, tick = System.nanoTime();
		while (System.nanoTime() < end) {
			for (int i = 0; i < REQUESTS_PER_TICK; i++)
				sent += serve(number++);
			tick += TICK_MS * 1_000_000L;
			long rest = (tick - System.nanoTime()) / 1_000_000L;
			if (rest > 0)
				Thread.sleep(rest);
		}
		System.out.printf("%d requests, %d MB sent, %d sessions, %d audit lines that nobody will read%n", number,
			sent >> 20, sessions.size(), audit.size());
	}
}
