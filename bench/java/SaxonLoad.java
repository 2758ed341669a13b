import java.io.StringReader;
import java.io.StringWriter;
import java.util.SplittableRandom;
import javax.xml.transform.stream.StreamSource;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.SaxonApiException;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.XsltExecutable;
import net.sf.saxon.s9api.XsltTransformer;

/**
 * Turns XML into HTML: an operation parses a document of RECORDS records and transforms it by a stylesheet that groups,
 * sorts, numbers and matches. The documents of the last operations stay, as in a cache.
 */
public final class SaxonLoad implements Load {
	private static final int RECORDS = 60;
	private static final int KEPT = 400;

	private static final String STYLESHEET = "<xsl:stylesheet version='3.0'"
		+ " xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>"
		+ "<xsl:output method='html' indent='yes'/>"
		+ "<xsl:template match='/catalog'><html><body>"
		+ "<xsl:for-each-group select='book' group-by='@topic'><xsl:sort select='current-grouping-key()'/>"
		+ "<h1><xsl:value-of select='upper-case(current-grouping-key())'/>: <xsl:value-of select='count(current-group())'/></h1>"
		+ "<table><xsl:apply-templates select='current-group()'><xsl:sort select='title'/></xsl:apply-templates></table>"
		+ "<p><xsl:value-of select='sum(current-group()/number(price))'/></p>"
		+ "</xsl:for-each-group></body></html></xsl:template>"
		+ "<xsl:template match='book'><tr id='{@id}'><td><xsl:number/></td><td><xsl:apply-templates select='title'/></td>"
		+ "<td><xsl:value-of select=\"string-join(tokenize(author, '\\s+'), ', ')\"/></td>"
		+ "<td><xsl:value-of select=\"format-number(price, '#,##0.00')\"/></td></tr></xsl:template>"
		+ "<xsl:template match=\"title[matches(., '^[a-m]')]\"><b><xsl:value-of select='.'/></b></xsl:template>"
		+ "<xsl:template match='title'><xsl:value-of select=\"replace(., '[aeiou]', '*')\"/></xsl:template>"
		+ "</xsl:stylesheet>";

	private static final class Lane {
		final XdmNode[] documents = new XdmNode[KEPT];
		String last;
		int operations;
	}

	private final Processor processor = new Processor(false);
	private final XsltExecutable stylesheet;
	private final Lane[] lanes;

	private SaxonLoad(int threads) throws SaxonApiException {
		stylesheet = processor.newXsltCompiler().compile(new StreamSource(new StringReader(STYLESHEET)));
		lanes = new Lane[threads];
		for (int i = 0; i < threads; i++)
			lanes[i] = new Lane();
	}

	@Override
	public void operate(int thread, SplittableRandom r) throws SaxonApiException {
		Lane lane = lanes[thread];
		XdmNode document = processor.newDocumentBuilder().build(new StreamSource(new StringReader(catalog(r))));
		lane.documents[lane.operations++ % KEPT] = document;
		lane.last = transform(document);
	}

	private static String catalog(SplittableRandom r) {
		StringBuilder xml = new StringBuilder("<catalog>");
		for (int i = 0; i < RECORDS; i++)
			xml.append("<book id='b").append(i).append("' topic='topic").append(r.nextInt(8)).append("'><title>")
				.append(Long.toString(r.nextLong() >>> 8, 36)).append("</title><author>name")
				.append(r.nextInt(100)).append(" surname").append(r.nextInt(100)).append("</author><price>")
				.append(r.nextInt(10_000)).append(".5</price></book>");
		return xml.append("</catalog>").toString();
	}

	private String transform(XdmNode document) throws SaxonApiException {
		StringWriter html = new StringWriter();
		XsltTransformer transformer = stylesheet.load();
		transformer.setInitialContextNode(document);
		transformer.setDestination(processor.newSerializer(html));
		transformer.transform();
		return html.toString();
	}

	public static void main(String[] args) throws Exception {
		Drive.run(args, (threads, seed) -> new SaxonLoad(threads));
	}
}
