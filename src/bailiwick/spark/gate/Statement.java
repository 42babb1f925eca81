// One statement on its way through the gate: read, its tables put in, analysed, and at last made the DataFrame that runs.
package bailiwick.gate;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Token;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkThrowable;
import org.apache.spark.SparkThrowableHelper;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.AliasIdentifier;
import org.apache.spark.sql.catalyst.QueryPlanningTracker;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.parser.SqlBaseLexer;
import org.apache.spark.sql.catalyst.parser.UpperCaseCharStream;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.delta.catalog.DeltaTableV2;
import org.apache.spark.sql.execution.command.ExplainCommand;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import scala.collection.immutable.Map$;

public class Statement {
    static final ObjectMapper JSON = new ObjectMapper();
    static final int DEEPEST = 100;

    final SparkSession session;
    LogicalPlan parsed;
    LogicalPlan analysed;
    Walk walk;
    final List loaded = new ArrayList(); // LogicalPlan
    final IdentityHashMap known = new IdentityHashMap(); // what a relation reads from -> which table that is

    public Statement(SparkSession session) {
        this.session = session;
    }

    public Statement on(SparkSession session) { // py4j calls methods, not constructors of classes compiled here
        return new Statement(session);
    }

    // The settings that the gate rests upon, in the run's own session.
    public void seal() {
        session.conf().set("spark.sql.runSQLOnFiles", "false");
        session.conf().set("spark.sql.scripting.enabled", "false");
        session.conf().set("spark.sql.variable.substitute", "false");
        session.conf().set("spark.sql.parser.quotedRegexColumnNames", "false");
    }

    // What a statement holds, as JSON; or {"error": …}, so that Spark's own text, with the plan in it, goes nowhere.
    public String read(String sql) throws Exception {
        SparkSession before = enter();
        try {
            seal();
            if (nested(sql)) return "{\"error\": {\"class\": \"nested\", \"condition\": \"FAILED_TO_PARSE_TOO_COMPLEX\"}}";
            parsed = session.sessionState().sqlParser().parsePlan(sql);
            Map said = new LinkedHashMap();
            said.put("root", parsed.getClass().getName());
            if (parsed instanceof ExplainCommand) {
                said.put("explain", ((ExplainCommand) parsed).mode().name());
                parsed = ((ExplainCommand) parsed).logicalPlan();
            }
            walk = new Walk();
            walk.visit(parsed);
            said.putAll(walk.found());
            said.put("size", Long.valueOf(Walk.size(parsed, new LinkedHashMap())));
            if (parsed.getClass().getName().indexOf("Show") >= 0 || parsed.getClass().getName().indexOf("Describe") >= 0)
                said.put("fields", plain(parsed, 0));
            return JSON.writeValueAsString(said);
        } catch (Throwable problem) {
            return failed(problem);
        } finally {
            leave(before);
        }
    }

    // Loads the table at a location; its number is what `admit` knows it by.
    public String load(String location, String version, String timestamp) throws Exception {
        SparkSession before = enter();
        try {
            LogicalPlan plan = version == null && timestamp == null ? now(location) : past(location, version, timestamp);
            Walk inside = new Walk();
            inside.visit(plan);
            for (Object relation : inside.tables) known.put(((LogicalRelation) relation).relation(), Integer.valueOf(loaded.size()));
            loaded.add(plan);
            return Integer.toString(loaded.size() - 1);
        } catch (Throwable problem) {
            return failed(problem);
        } finally {
            leave(before);
        }
    }

    // What a DataFrameReader makes of a Delta table in the end, without its search for data sources and its own analysis.
    LogicalPlan now(String location) {
        Map$ map = Map$.MODULE$;
        return DeltaTableV2.apply(session, new Path(location), (scala.collection.immutable.Map) map.empty(), "read").toLogicalRelation();
    }

    LogicalPlan past(String location, String version, String timestamp) {
        DataFrameReader reader = session.read().format("delta");
        if (version != null) reader = reader.option("versionAsOf", version);
        if (timestamp != null) reader = reader.option("timestampAsOf", timestamp);
        return ((org.apache.spark.sql.classic.Dataset) reader.load(location)).queryExecution().analyzed();
    }

    // places[i] is what relation i names: the table's number, layer and name; or null for what has to be a CTE.
    public String analyse(String placesJson) throws Exception {
        List places = (List) JSON.readValue(placesJson, List.class);
        SparkSession before = enter();
        try {
            IdentityHashMap tables = new IdentityHashMap();
            for (int i = 0; i < places.size(); i++) {
                List place = (List) places.get(i);
                if (place == null) continue;
                LogicalPlan plan = (LogicalPlan) loaded.get(((Integer) place.get(0)).intValue());
                // Each use of a table gets columns of its own, as if it had been looked up again.
                if (plan instanceof LogicalRelation) plan = ((LogicalRelation) plan).newInstance();
                tables.put(walk.relationNodes.get(i), alias((String) place.get(1), (String) place.get(2), plan));
            }
            LogicalPlan named = new Rebuild(tables).plan(parsed);
            analysed = session.sessionState().analyzer().executeAndCheck(named, new QueryPlanningTracker(scala.Option.apply(null)));
            walk = new Walk();
            walk.visit(analysed);
            Map said = walk.found();
            List sources = new ArrayList();
            for (Object each : walk.tables) sources.add(source((LogicalRelation) each));
            said.put("tables", sources);
            said.put("flow", new Flow().of(walk));
            said.put("output", output());
            return JSON.writeValueAsString(said);
        } catch (Throwable problem) {
            return failed(problem);
        } finally {
            leave(before);
        }
    }

    public Dataset dataset() {
        return org.apache.spark.sql.classic.Dataset$.MODULE$.ofRows(session, analysed);
    }

    // Whether brackets, CASEs or types are nested so deeply that parsing alone takes seconds and memory without end.
    static boolean nested(String sql) {
        Lexer lexer = new SqlBaseLexer(new UpperCaseCharStream(CharStreams.fromString(sql)));
        lexer.removeErrorListeners(); // what is no token at all is the parser's to say
        int depth = 0, types = 0, before = 0;
        for (Token token = lexer.nextToken(); token.getType() != Token.EOF; token = lexer.nextToken()) {
            if (token.getChannel() != Token.DEFAULT_CHANNEL) continue;
            int type = token.getType();
            if (type == SqlBaseLexer.LEFT_PAREN || type == SqlBaseLexer.LEFT_BRACKET || type == SqlBaseLexer.CASE) depth++;
            if (type == SqlBaseLexer.RIGHT_PAREN || type == SqlBaseLexer.RIGHT_BRACKET || type == SqlBaseLexer.END) depth--;
            if (type == SqlBaseLexer.LT && (before == SqlBaseLexer.ARRAY || before == SqlBaseLexer.MAP || before == SqlBaseLexer.STRUCT)) types++;
            if (depth > DEEPEST || types > DEEPEST) return true;
            before = type;
        }
        return false;
    }

    static String failed(Throwable problem) throws Exception {
        if (problem instanceof VirtualMachineError && !(problem instanceof StackOverflowError)) throw (Error) problem;
        Map error = new LinkedHashMap();
        error.put("class", problem.getClass().getName());
        if (problem instanceof SparkThrowable) {
            SparkThrowable said = (SparkThrowable) problem;
            error.put("condition", said.getCondition());
            error.put("message", message(said, problem));
            error.put("parameters", said.getMessageParameters());
        }
        if (problem instanceof AnalysisException) {
            AnalysisException where = (AnalysisException) problem;
            if (where.line().isDefined()) error.put("line", where.line().get());
            if (where.startPosition().isDefined()) error.put("position", where.startPosition().get());
        }
        Map said = new LinkedHashMap();
        said.put("error", error);
        return JSON.writeValueAsString(said);
    }

    static String message(SparkThrowable said, Throwable problem) {
        try {
            return SparkThrowableHelper.getMessage(said.getCondition(), said.getMessageParameters());
        } catch (Throwable unknown) { // Delta words its problems itself
            String message = String.valueOf(problem.getMessage());
            int line = message.indexOf('\n');
            return line < 0 ? message : message.substring(0, line);
        }
    }

    static LogicalPlan alias(String layer, String name, LogicalPlan plan) {
        scala.collection.mutable.Builder qualifier = scala.collection.immutable.Seq$.MODULE$.newBuilder();
        qualifier.addOne(layer);
        return new SubqueryAlias(new AliasIdentifier(name, (scala.collection.immutable.Seq) qualifier.result()), plan);
    }

    Map source(LogicalRelation relation) {
        Map source = new LinkedHashMap();
        source.put("table", known.get(relation.relation()));
        source.put("streaming", Boolean.valueOf(relation.isStreaming()));
        List columns = new ArrayList();
        scala.collection.Iterator each = relation.output().iterator();
        while (each.hasNext()) {
            Attribute column = (Attribute) each.next();
            columns.add(new String[] {Flow.id(column), column.name()});
        }
        source.put("columns", columns);
        return source;
    }

    List output() {
        List output = new ArrayList();
        scala.collection.Iterator each = analysed.output().iterator();
        while (each.hasNext()) {
            Attribute column = (Attribute) each.next();
            output.add(new Object[] {Flow.id(column), column.name(), column.dataType().catalogString(), Boolean.valueOf(column.nullable())});
        }
        return output;
    }

    // The fields of a SHOW or DESCRIBE, as plain values.
    static Object plain(Object what, int depth) {
        if (what == null || what instanceof String || what instanceof Boolean || what instanceof Integer) return what;
        if (depth > 4) return what.getClass().getName();
        if (what instanceof scala.Option) return ((scala.Option) what).isDefined() ? plain(((scala.Option) what).get(), depth) : null;
        if (what instanceof scala.collection.Map) return what.toString();
        if (what instanceof scala.collection.Iterable) {
            List values = new ArrayList();
            scala.collection.Iterator each = ((scala.collection.Iterable) what).iterator();
            while (each.hasNext()) values.add(plain(each.next(), depth + 1));
            return values;
        }
        if (what instanceof LogicalPlan) {
            Map fields = new LinkedHashMap();
            fields.put("class", what.getClass().getName());
            scala.Product product = (scala.Product) what;
            for (int i = 0; i < product.productArity(); i++) fields.put(product.productElementName(i), plain(product.productElement(i), depth + 1));
            return fields;
        }
        return what.getClass().getName();
    }

    // Spark reads settings of the session that is active in the thread, so ours has to be.
    SparkSession enter() {
        scala.Option active = SparkSession.getActiveSession();
        SparkSession.setActiveSession(session);
        return active.isDefined() ? (SparkSession) active.get() : null;
    }

    void leave(SparkSession before) {
        if (before == null) SparkSession.clearActiveSession();
        else SparkSession.setActiveSession(before);
    }
}
