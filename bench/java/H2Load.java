import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A shop in an in-memory database: orders with their lines, stock, payments with their history.
 * Each thread is a branch with its own stock, customers and connection, so that no transaction waits
 * for another's rows. Orders beyond those that are kept are delivered and deleted: rows live for a while and die.
 */
public final class H2Load implements Load {
	private static final String URL = "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1";
	private static final int ITEMS = 5_000;
	private static final int CUSTOMERS = 1_000;

	private static final String[] SCHEMA = {
		"CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(40), price INT)",
		"CREATE TABLE stock (branch INT, item INT, quantity INT, PRIMARY KEY (branch, item))",
		"CREATE TABLE customer (branch INT, id INT, name VARCHAR(40), balance BIGINT, PRIMARY KEY (branch, id))",
		"CREATE TABLE orders (branch INT, id BIGINT, customer INT, total BIGINT, PRIMARY KEY (branch, id))",
		"CREATE INDEX orders_of ON orders (branch, customer, id)",
		"CREATE TABLE line (branch INT, order_id BIGINT, number INT, item INT, quantity INT, amount INT,"
			+ " PRIMARY KEY (branch, order_id, number))",
		"CREATE TABLE history (branch INT, id BIGINT, customer INT, amount INT, note VARCHAR(120),"
			+ " PRIMARY KEY (branch, id))",
	};

	/** One thread's connection, statements and counters. */
	private static final class Branch {
		final int id;
		final Connection db;
		final PreparedStatement price, takeStock, addOrder, addLine, pay, addHistory, lastOrder, lines;
		final PreparedStatement dropLines, dropOrder, dropHistory;
		long nextOrder, nextHistory;

		Branch(int id) throws SQLException {
			this.id = id;
			db = DriverManager.getConnection(URL);
			db.setAutoCommit(false);
			price = db.prepareStatement("SELECT name, price FROM item WHERE id = ?");
			takeStock = db.prepareStatement("UPDATE stock SET quantity = CASE WHEN quantity > 10"
				+ " THEN quantity - ? ELSE quantity + 90 END WHERE branch = ? AND item = ?");
			addOrder = db.prepareStatement("INSERT INTO orders VALUES (?, ?, ?, ?)");
			addLine = db.prepareStatement("INSERT INTO line VALUES (?, ?, ?, ?, ?, ?)");
			pay = db.prepareStatement(
				"UPDATE customer SET balance = balance - ? WHERE branch = ? AND id = ?");
			addHistory = db.prepareStatement("INSERT INTO history VALUES (?, ?, ?, ?, ?)");
			lastOrder = db.prepareStatement("SELECT id, total FROM orders WHERE branch = ? AND customer = ?"
				+ " ORDER BY id DESC LIMIT 1");
			lines = db.prepareStatement("SELECT l.number, i.name, l.quantity, l.amount FROM line l"
				+ " JOIN item i ON i.id = l.item WHERE l.branch = ? AND l.order_id = ? ORDER BY l.number");
			dropLines = db.prepareStatement("DELETE FROM line WHERE branch = ? AND order_id = ?");
			dropOrder = db.prepareStatement("DELETE FROM orders WHERE branch = ? AND id = ?");
			dropHistory = db.prepareStatement("DELETE FROM history WHERE branch = ? AND id = ?");
		}
	}

	private final Branch[] branches;
	private final int kept;

	private H2Load(int threads, long seed, Settings settings) throws SQLException {
		kept = settings.get("kept");
		try (Connection db = DriverManager.getConnection(URL)) {
			fill(db, threads, new SplittableRandom(~seed));
		}
		branches = new Branch[threads];
		for (int i = 0; i < threads; i++)
			branches[i] = new Branch(i);
	}

	private static void fill(Connection db, int threads, SplittableRandom r) throws SQLException {
		try (Statement s = db.createStatement()) {
			for (String table : SCHEMA)
				s.execute(table);
		}
		for (int i = 0; i < ITEMS; i++)
			run(db, "INSERT INTO item VALUES (?, ?, ?)", i, "item " + r.nextInt(1 << 20), 1 + r.nextInt(500));
		for (int branch = 0; branch < threads; branch++) {
			for (int i = 0; i < ITEMS; i++)
				run(db, "INSERT INTO stock VALUES (?, ?, ?)", branch, i, 50 + r.nextInt(50));
			for (int i = 0; i < CUSTOMERS; i++)
				run(db, "INSERT INTO customer VALUES (?, ?, ?, 0)", branch, i, "customer " + i);
		}
	}

	private static void run(Connection db, String sql, Object... values) throws SQLException {
		try (PreparedStatement s = db.prepareStatement(sql)) {
			set(s, values);
			s.executeUpdate();
		}
	}

	private static PreparedStatement set(PreparedStatement s, Object... values) throws SQLException {
		for (int i = 0; i < values.length; i++)
			s.setObject(i + 1, values[i]);
		return s;
	}

	@Override
	public void operate(int thread, SplittableRandom r) throws SQLException {
		Branch b = branches[thread];
		int kind = r.nextInt(100);
		if (kind < 50)
			order(b, r);
		else if (kind < 85)
			pay(b, r);
		else
			look(b, r);
		b.db.commit();
	}

	private void order(Branch b, SplittableRandom r) throws SQLException {
		long id = b.nextOrder++;
		long total = 0;
		int count = 4 + r.nextInt(9);
		for (int number = 0; number < count; number++)
			total += addLine(b, id, number, r);
		set(b.addOrder, b.id, id, r.nextInt(CUSTOMERS), total).executeUpdate();
		if (id >= kept)
			deliver(b, id - kept);
	}

	private static long addLine(Branch b, long order, int number, SplittableRandom r) throws SQLException {
		int item = r.nextInt(ITEMS);
		int quantity = 1 + r.nextInt(9);
		int amount;
		try (ResultSet found = set(b.price, item).executeQuery()) {
			found.next();
			amount = found.getInt(2) * quantity;
		}
		set(b.takeStock, quantity, b.id, item).executeUpdate();
		set(b.addLine, b.id, order, number, item, quantity, amount).executeUpdate();
		return amount;
	}

	private static void deliver(Branch b, long order) throws SQLException {
		set(b.dropLines, b.id, order).executeUpdate();
		set(b.dropOrder, b.id, order).executeUpdate();
	}

	private void pay(Branch b, SplittableRandom r) throws SQLException {
		long id = b.nextHistory++;
		int customer = r.nextInt(CUSTOMERS);
		int amount = 1 + r.nextInt(5000);
		set(b.pay, amount, b.id, customer).executeUpdate();
		set(b.addHistory, b.id, id, customer, amount, "payment " + id + " of customer " + customer).executeUpdate();
		if (id >= kept)
			set(b.dropHistory, b.id, id - kept).executeUpdate();
	}

	private static void look(Branch b, SplittableRandom r) throws SQLException {
		long order;
		try (ResultSet found = set(b.lastOrder, b.id, r.nextInt(CUSTOMERS)).executeQuery()) {
			if (!found.next())
				return;
			order = found.getLong(1);
		}
		try (ResultSet found = set(b.lines, b.id, order).executeQuery()) {
			while (found.next())
				found.getString(2);
		}
	}

	public static void main(String[] args) throws Exception {
		Settings settings = new Settings(Map.of("kept", 2_000));
		Drive.run(args, settings, (threads, seed) -> new H2Load(threads, seed, settings));
	}
}
