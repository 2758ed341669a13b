import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A server with many requests in flight: each is answered when `inflight` others have come after it, and dies then. By
 * that time about `lifetime_mb` have been allocated, so its objects survive the one or two young collections in between:
 * who promotes what survives once fills the old generation with what is about to die. Sessions truly live long: one
 * request in LOGIN opens one, which takes the place of the oldest of its thread's.
 */
public final class RequestsLoad implements Load {
	private static final int LOGIN = 16;
	private static final int HEADERS = 12;
	private static final int ROWS = 40;
	private static final int BODY = 1024;
	private static final int ITEMS = 24;
	/** Bytes that an operation allocates beside what reading and answering it waste. */
	private static final int OWN = 10_900;
	private static final int BUFFER = 8 << 10;

	private static final class Row {
		final long key;
		final String text;
		final Row next;

		Row(long key, String text, Row next) {
			this.key = key;
			this.text = text;
			this.next = next;
		}
	}

	private static final class Request {
		final Session session;
		final Map<String, String> headers;
		final byte[] body;
		Row rows;

		Request(Session session, Map<String, String> headers, byte[] body) {
			this.session = session;
			this.headers = headers;
			this.body = body;
		}
	}

	private static final class Session {
		final long user;
		final Map<Integer, String> cart;

		Session(long user, Map<Integer, String> cart) {
			this.user = user;
			this.cart = cart;
		}
	}

	/** What one thread serves. */
	private final class Lane {
		final Request[] inFlight;
		final Session[] sessions;
		Object last;
		long operations, logins;

		Lane(int inFlight, int sessions) {
			this.inFlight = new Request[inFlight];
			this.sessions = new Session[sessions];
			for (int i = 0; i < sessions; i++)
				this.sessions[i] = session(i);
		}
	}

	private final Lane[] lanes;
	/** Bytes of buffers that die at once, so that a lifetime is as long as asked for. */
	private final long waste;

	private RequestsLoad(int threads, Settings settings) {
		int inFlight = Math.max(2, settings.get("inflight") / threads);
		int sessions = Math.max(1, settings.get("sessions") / threads);
		long each = ((long) settings.get("lifetime_mb") << 20) / ((long) inFlight * threads);
		if (each < OWN)
			throw new Settings.Wrong("lifetime_mb is too short: with " + inFlight * threads
				+ " in flight at least " + (((long) OWN * inFlight * threads >> 20) + 1));
		waste = each - OWN;
		lanes = new Lane[threads];
		for (int i = 0; i < threads; i++)
			lanes[i] = new Lane(inFlight, sessions);
	}

	@Override
	public void operate(int thread, SplittableRandom r) {
		Lane lane = lanes[thread];
		int size = lane.inFlight.length;
		int slot = (int) (lane.operations % size);
		if (lane.inFlight[slot] != null)
			lane.last = answer(lane.inFlight[slot]);
		lane.inFlight[slot] = accept(lane, r);
		Request halfDone = lane.inFlight[(slot + size / 2) % size];
		if (halfDone != null)
			halfDone.rows = rows(r);
		waste(lane);
		lane.operations++;
	}

	private static Request accept(Lane lane, SplittableRandom r) {
		int seat = r.nextInt(lane.sessions.length);
		if (r.nextInt(LOGIN) == 0) {
			seat = (int) (lane.logins++ % lane.sessions.length);
			lane.sessions[seat] = session(r.nextLong());
		}
		return new Request(lane.sessions[seat], headers(r), body(r));
	}

	private static Map<String, String> headers(SplittableRandom r) {
		Map<String, String> headers = new HashMap<>();
		for (int i = 0; i < HEADERS; i++)
			headers.put("header-" + i, Long.toString(r.nextLong(), 36));
		return headers;
	}

	private static byte[] body(SplittableRandom r) {
		byte[] body = new byte[BODY];
		body[r.nextInt(BODY)] = 1;
		return body;
	}

	private static Row rows(SplittableRandom r) {
		Row rows = null;
		for (int i = 0; i < ROWS; i++)
			rows = new Row(i, Integer.toString(r.nextInt(), 36), rows);
		return rows;
	}

	private static Session session(long user) {
		Map<Integer, String> cart = new LinkedHashMap<>();
		for (int i = 0; i < ITEMS; i++)
			cart.put(1000 + i, "item " + (user + i));
		return new Session(user, cart);
	}

	private static String answer(Request request) {
		StringBuilder text = new StringBuilder(BODY);
		text.append(request.session.user).append(request.session.cart.get(1000)).append(request.headers.get("header-1"));
		for (Row row = request.rows; row != null; row = row.next)
			text.append(row.text);
		return text.toString();
	}

	private void waste(Lane lane) {
		long left = waste;
		for (; left >= BUFFER; left -= BUFFER)
			lane.last = new byte[BUFFER - 16];
		lane.last = new byte[(int) left];
	}

	@Override
	public void tell(Truth truth) {
		long all = 0, logins = 0, later = 0;
		int sessions = lanes[0].sessions.length, inFlight = lanes[0].inFlight.length;
		for (Lane lane : lanes) {
			all += lane.operations;
			logins += lane.logins;
			later += Math.max(0, lane.operations - (inFlight - inFlight / 2));
		}
		long opened = logins + (long) sessions * lanes.length;
		truth.site("RequestsLoad.accept", "RequestsLoad$Request", "-", all, inFlight);
		truth.site("RequestsLoad.headers", "java.util.HashMap", "-", all, inFlight);
		truth.site("RequestsLoad.body", "byte[]", "-", all, inFlight);
		truth.site("RequestsLoad.rows", "RequestsLoad$Row", "-", later * ROWS, inFlight / 2);
		truth.site("RequestsLoad.session", "RequestsLoad$Session", "-", opened, (long) LOGIN * sessions);
	}

	public static void main(String[] args) throws Exception {
		Settings settings = new Settings(Map.of("inflight", 1600, "lifetime_mb", 144, "sessions", 8000));
		Drive.run(args, settings, (threads, seed) -> new RequestsLoad(threads, settings));
	}
}
