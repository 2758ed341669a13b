import edu.cmu.graphchi.ChiEdge;
import edu.cmu.graphchi.ChiVertex;
import edu.cmu.graphchi.GraphChiContext;
import edu.cmu.graphchi.GraphChiProgram;
import edu.cmu.graphchi.datablocks.BytesToValueConverter;
import edu.cmu.graphchi.datablocks.FloatConverter;
import edu.cmu.graphchi.datablocks.IntConverter;
import edu.cmu.graphchi.engine.GraphChiEngine;
import edu.cmu.graphchi.engine.VertexInterval;
import edu.cmu.graphchi.preprocessing.FastSharder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * PageRank and connected components, in turns, over a power-law graph in shards on disk (in the current folder). The
 * vertices and edges of a window of the graph live while it is in memory. The engine has threads of its own, as many as
 * the driver has, so those take turns.
 */
public final class GraphChiLoad implements Load {
	private static final int ITERATIONS = 4;

	private final Path ranks = Path.of("ranks"), labels = Path.of("labels");
	/** The graph has 2 ^ scale vertices and kiloedges thousand edges; budget_mb bounds the window of it in memory. */
	private final int scale, edges, shards, budgetMb;
	private long operations, helped;

	private GraphChiLoad(int threads, long seed, Settings settings) throws IOException {
		scale = settings.get("scale");
		edges = settings.get("kiloedges") * 1000;
		shards = settings.get("shards");
		budgetMb = settings.get("budget_mb");
		Logger.getLogger("").setLevel(Level.OFF);
		System.setProperty("num_threads", Integer.toString(threads));
		Files.createDirectory(ranks);
		shard(new SplittableRandom(~seed));
		copy(ranks, Files.createDirectory(labels));
	}

	private static String base(Path folder) {
		return folder.resolve("graph").toString();
	}

	/** Ranks and labels begin as the same zero bits, so both programs can have the same shards. */
	private void shard(SplittableRandom r) throws IOException {
		FastSharder<Float, Float> sharder = new FastSharder<>(base(ranks), shards, (vertex, token) -> 0f,
			(from, to, token) -> 0f, new FloatConverter(), new FloatConverter());
		for (int i = 0; i < edges; i++)
			addEdge(sharder, r);
		sharder.process();
	}

	/** R-MAT (Chakrabarti et al. 2004) with the usual quadrants 0.57, 0.19, 0.19, 0.05. */
	private void addEdge(FastSharder<?, ?> sharder, SplittableRandom r) throws IOException {
		int from = 0, to = 0;
		for (int bit = 0; bit < scale; bit++) {
			int p = r.nextInt(100);
			from = from << 1 | (p >= 76 ? 1 : 0);
			to = to << 1 | (p >= 57 && p < 76 || p >= 95 ? 1 : 0);
		}
		if (from != to)
			sharder.addEdge(from, to, null);
	}

	private static void copy(Path from, Path to) throws IOException {
		try (Stream<Path> files = Files.walk(from)) {
			for (Path file : (Iterable<Path>) files.filter(f -> !f.equals(from))::iterator)
				Files.copy(file, to.resolve(from.relativize(file).toString()));
		}
	}

	@Override
	public synchronized void operate(int thread, SplittableRandom r) throws IOException {
		if (operations++ % 2 == 0)
			rank();
		else
			label();
	}

	private void rank() throws IOException {
		GraphChiEngine<Float, Float> engine = engine(ranks, new FloatConverter());
		engine.setModifiesInedges(false);
		engine.run(new Rank(), ITERATIONS);
	}

	private void label() throws IOException {
		GraphChiEngine<Integer, Integer> engine = engine(labels, new IntConverter());
		engine.setEnableScheduler(true);
		engine.run(new Label(), ITERATIONS);
	}

	private <T> GraphChiEngine<T, T> engine(Path folder, BytesToValueConverter<T> converter) throws IOException {
		GraphChiEngine<T, T> engine = new GraphChiEngine<>(base(folder), shards);
		engine.setMemoryBudgetMb(budgetMb);
		engine.setEdataConverter(converter);
		engine.setVertexDataConverter(converter);
		return engine;
	}

	@Override
	public synchronized long helped() {
		return helped;
	}

	/** The engine's threads begin and end with its run, so what they have allocated is asked for at its end. */
	private void countHelpers() {
		Thread[] threads = new Thread[Thread.activeCount() + 16];
		int count = Thread.enumerate(threads);
		for (int i = 0; i < count; i++)
			if (threads[i].getName().startsWith("pool-"))
				helped += Drive.allocatedBy(threads[i]);
	}

	private abstract class Program<T> implements GraphChiProgram<T, T> {
		@Override
		public void beginIteration(GraphChiContext context) {}

		@Override
		public void endIteration(GraphChiContext context) {
			if (context.getIteration() == ITERATIONS - 1)
				countHelpers();
		}

		@Override
		public void beginInterval(GraphChiContext context, VertexInterval interval) {}

		@Override
		public void endInterval(GraphChiContext context, VertexInterval interval) {}

		@Override
		public void beginSubInterval(GraphChiContext context, VertexInterval interval) {}

		@Override
		public void endSubInterval(GraphChiContext context, VertexInterval interval) {}
	}

	/** Each vertex takes 0.15 and 0.85 of what its in-edges carry, and shares it among its out-edges. */
	private final class Rank extends Program<Float> {
		@Override
		public void update(ChiVertex<Float, Float> vertex, GraphChiContext context) {
			float sum = 0;
			for (int i = 0; i < vertex.numInEdges(); i++)
				sum += vertex.inEdge(i).getValue();
			float rank = context.getIteration() == 0 ? 1 : 0.15f + 0.85f * sum;
			vertex.setValue(rank);
			for (int i = 0; i < vertex.numOutEdges(); i++)
				vertex.outEdge(i).setValue(rank / vertex.numOutEdges());
		}
	}

	/** Each vertex takes the least label around it, and wakes the neighbours that have a larger one. */
	private final class Label extends Program<Integer> {
		@Override
		public void update(ChiVertex<Integer, Integer> vertex, GraphChiContext context) {
			if (context.getIteration() == 0)
				begin(vertex, context);
			else
				spread(vertex, context);
		}

		private void begin(ChiVertex<Integer, Integer> vertex, GraphChiContext context) {
			int label = vertex.getId();
			for (int i = 0; i < vertex.numEdges(); i++)
				label = Math.min(label, vertex.edge(i).getVertexId());
			vertex.setValue(label);
			for (int i = 0; i < vertex.numOutEdges(); i++)
				vertex.outEdge(i).setValue(label);
			context.getScheduler().addTask(vertex.getId());
		}

		private void spread(ChiVertex<Integer, Integer> vertex, GraphChiContext context) {
			int label = vertex.getValue();
			for (int i = 0; i < vertex.numEdges(); i++)
				label = Math.min(label, vertex.edge(i).getValue());
			vertex.setValue(label);
			for (int i = 0; i < vertex.numEdges(); i++) {
				ChiEdge<Integer> edge = vertex.edge(i);
				if (edge.getValue() > label) {
					edge.setValue(label);
					context.getScheduler().addTask(edge.getVertexId());
				}
			}
		}
	}

	public static void main(String[] args) throws Exception {
		Settings settings = new Settings(Map.of("scale", 17, "kiloedges", 1500, "shards", 3, "budget_mb", 48));
		Drive.run(args, settings, (threads, seed) -> new GraphChiLoad(threads, seed, settings));
		System.exit(0);
	}
}
