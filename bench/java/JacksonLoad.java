import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A store of JSON documents: an operation reads one from its text, changes it and writes it back; half of them as a tree
 * of nodes, half as beans. The parsed form stays in the store until the document's next turn.
 */
public final class JacksonLoad implements Load {
	private static final int DOCUMENTS = 3_000;
	private static final int LINES = 12;

	/** A line of an order. */
	public static final class Line {
		public int item;
		public int quantity;
		public double price;
		public String note;
	}

	/** An order, as a bean. */
	public static final class Order {
		public long id;
		public String customer;
		public List<Line> lines = new ArrayList<>();
		public Map<String, String> tags = new TreeMap<>();
		public List<String> history = new ArrayList<>();
	}

	/** One thread's documents: their text, and the parsed form of those that have had a turn. */
	private static final class Store {
		final byte[][] texts = new byte[DOCUMENTS][];
		final Object[] parsed = new Object[DOCUMENTS];
	}

	private final ObjectMapper mapper = new ObjectMapper();
	private final Store[] stores;

	private JacksonLoad(int threads, long seed) throws IOException {
		SplittableRandom r = new SplittableRandom(~seed);
		stores = new Store[threads];
		for (int i = 0; i < threads; i++) {
			stores[i] = new Store();
			for (int id = 0; id < DOCUMENTS; id++)
				stores[i].texts[id] = mapper.writeValueAsBytes(order(id, r));
		}
	}

	private static Order order(int id, SplittableRandom r) {
		Order order = new Order();
		order.id = id;
		order.customer = "customer " + r.nextInt(1000);
		for (int i = 0; i < LINES; i++)
			order.lines.add(line(r));
		for (int i = 0; i < 6; i++)
			order.tags.put("tag" + i, Long.toString(r.nextLong(), 36));
		return order;
	}

	private static Line line(SplittableRandom r) {
		Line line = new Line();
		line.item = r.nextInt(5000);
		line.quantity = 1 + r.nextInt(9);
		line.price = r.nextInt(100_000) / 100.0;
		line.note = "note \"" + r.nextInt() + "\"";
		return line;
	}

	@Override
	public void operate(int thread, SplittableRandom r) throws IOException {
		Store store = stores[thread];
		int id = r.nextInt(DOCUMENTS);
		Object changed = r.nextBoolean() ? tree(store.texts[id], r) : bean(store.texts[id], r);
		store.texts[id] = mapper.writeValueAsBytes(changed);
		store.parsed[id] = changed;
	}

	private JsonNode tree(byte[] text, SplittableRandom r) throws IOException {
		ObjectNode order = (ObjectNode) mapper.readTree(text);
		ArrayNode lines = (ArrayNode) order.get("lines");
		lines.set(r.nextInt(LINES), mapper.valueToTree(line(r)));
		double total = 0;
		for (JsonNode line : lines)
			total += line.get("price").asDouble() * line.get("quantity").asInt();
		remember((ArrayNode) order.get("history"), "total " + total);
		return order;
	}

	private static void remember(ArrayNode history, String text) {
		history.add(text);
		if (history.size() > 8)
			history.remove(0);
	}

	private Order bean(byte[] text, SplittableRandom r) throws IOException {
		Order order = mapper.readValue(text, Order.class);
		order.lines.set(r.nextInt(LINES), line(r));
		order.tags.put("tag" + r.nextInt(6), Long.toString(r.nextLong(), 36));
		order.history.add("lines " + order.lines.size());
		if (order.history.size() > 8)
			order.history.remove(0);
		return order;
	}

	public static void main(String[] args) throws Exception {
		Drive.run(args, JacksonLoad::new);
	}
}
