import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

/**
 * A search index in the heap: three operations in four update a document, the fourth asks for the
 * ten best of a few words. Postings live until the buffer is flushed, segments until they merge.
 */
public final class LuceneLoad implements Load {
	private static final int WORDS = 60;
	private static final int VOCABULARY = 40_000;

	private final String[] vocabulary = new String[VOCABULARY];
	private final IndexWriter writer;
	private final SearcherManager searchers;
	private final AtomicLong operations = new AtomicLong();
	private final int documents, refreshEvery;

	private LuceneLoad(long seed, Settings settings) throws IOException {
		documents = settings.get("documents");
		refreshEvery = settings.get("refresh_every");
		SplittableRandom r = new SplittableRandom(~seed);
		for (int i = 0; i < VOCABULARY; i++)
			vocabulary[i] = word(r);
		writer = new IndexWriter(new ByteBuffersDirectory(),
			new IndexWriterConfig(new EnglishAnalyzer())
				.setRAMBufferSizeMB(settings.get("buffer_mb"))
				.setMergeScheduler(new SerialMergeScheduler()));
		searchers = new SearcherManager(writer, null);
	}

	private static String word(SplittableRandom r) {
		StringBuilder text = new StringBuilder();
		for (int i = 3 + r.nextInt(8); i > 0; i--)
			text.append((char) ('a' + r.nextInt(26)));
		return text.toString();
	}

	/** Few words are frequent and most are rare, as in prose. */
	private String anyWord(SplittableRandom r) {
		double u = r.nextDouble();
		return vocabulary[(int) (VOCABULARY * u * u * u)];
	}

	@Override
	public void operate(int thread, SplittableRandom r) throws IOException {
		if (r.nextInt(4) > 0)
			update(r);
		else
			search(r);
		if (operations.incrementAndGet() % refreshEvery == 0)
			searchers.maybeRefresh();
	}

	private void update(SplittableRandom r) throws IOException {
		StringBuilder body = new StringBuilder();
		for (int i = 0; i < WORDS; i++)
			body.append(anyWord(r)).append(i % 12 == 11 ? ". " : " ");
		String id = Integer.toString(r.nextInt(documents));
		Document document = new Document();
		document.add(new StringField("id", id, Field.Store.YES));
		document.add(new TextField("body", body.toString(), Field.Store.YES));
		document.add(new NumericDocValuesField("weight", r.nextInt(1000)));
		writer.updateDocument(new Term("id", id), document);
	}

	private void search(SplittableRandom r) throws IOException {
		BooleanQuery.Builder query = new BooleanQuery.Builder();
		for (int i = 0; i < 3; i++)
			query.add(new TermQuery(new Term("body", anyWord(r))), BooleanClause.Occur.SHOULD);
		IndexSearcher searcher = searchers.acquire();
		try {
			for (var hit : searcher.search(query.build(), 10).scoreDocs)
				searcher.storedFields().document(hit.doc);
		} finally {
			searchers.release(searcher);
		}
	}

	public static void main(String[] args) throws Exception {
		Settings settings = new Settings(Map.of("documents", 30_000, "refresh_every", 4_000, "buffer_mb", 24));
		Drive.run(args, settings, (threads, seed) -> new LuceneLoad(seed, settings));
	}
}
