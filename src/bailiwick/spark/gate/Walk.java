// Looks at everything a plan holds, field by field, and says what it found. It decides nothing: the Python beside it does.
// Compiled inside the JVM when a worker starts, by the compiler that Spark brings for its own generated code, because
// a walk over py4j takes tens of milliseconds, and plan.toJSON() leaves fields out (the rows of VALUES, maps, options).
// That compiler knows no lambdas and infers no generics, hence the casts.
package bailiwick.gate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.analysis.RelationTimeTravel;
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.analysis.UnresolvedGenerator;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.analysis.UnresolvedTableValuedFunction;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.UnresolvedHint;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.types.DataType;

public class Walk {
    public final IdentityHashMap seen = new IdentityHashMap();
    final LinkedHashSet plans = new LinkedHashSet();
    final LinkedHashSet expressions = new LinkedHashSet();
    final LinkedHashSet others = new LinkedHashSet();
    final LinkedHashSet attributes = new LinkedHashSet();
    final LinkedHashSet ctes = new LinkedHashSet();
    final LinkedHashSet hints = new LinkedHashSet();
    final LinkedHashSet invoked = new LinkedHashSet(); // classes whose methods are called
    final List functions = new ArrayList();
    final List relations = new ArrayList();
    public final List relationNodes = new ArrayList(); // the node behind each of `relations`
    public final List tables = new ArrayList(); // resolved relations, in an analysed plan

    public Map found() {
        Map found = new LinkedHashMap();
        found.put("plans", plans);
        found.put("expressions", expressions);
        found.put("others", others);
        found.put("attributes", attributes);
        found.put("ctes", ctes);
        found.put("hints", hints);
        found.put("invoked", invoked);
        found.put("functions", functions);
        found.put("relations", relations);
        return found;
    }

    public void visit(Object what) {
        if (what == null || what instanceof String || what instanceof Number || what instanceof Boolean
                || what instanceof DataType || what instanceof Enum) return;
        if (what instanceof TreeNode) { node((TreeNode) what); return; }
        if (what instanceof scala.Option) {
            scala.Option option = (scala.Option) what;
            if (option.isDefined()) visit(option.get());
            return;
        }
        if (what instanceof scala.collection.Iterable) {
            scala.collection.Iterator parts = ((scala.collection.Iterable) what).iterator();
            while (parts.hasNext()) visit(parts.next());
            return;
        }
        if (what instanceof Collection) {
            for (Object part : (Collection) what) visit(part);
            return;
        }
        if (what instanceof Object[]) {
            for (Object part : (Object[]) what) visit(part);
            return;
        }
        if (!what.getClass().getName().startsWith("scala.Tuple")) others.add(what.getClass().getName());
        if (what instanceof scala.Product) fields((scala.Product) what);
    }

    void fields(scala.Product product) {
        scala.collection.Iterator fields = product.productIterator();
        while (fields.hasNext()) visit(fields.next());
    }

    void node(TreeNode node) {
        if (seen.put(node, node) != null) return;
        String name = node.getClass().getName();
        if (node instanceof LogicalPlan) plans.add(name);
        else if (node instanceof Expression) expressions.add(name);
        else others.add(name);
        if (node instanceof Literal) return; // data; its value may be any object
        if (node instanceof RelationTimeTravel && ((RelationTimeTravel) node).relation() instanceof UnresolvedRelation) {
            travel((RelationTimeTravel) node);
            return;
        }
        if (node instanceof LocalRelation) { visit(((LocalRelation) node).output()); return; } // rows of constants
        if (node instanceof UnresolvedRelation) { relation((UnresolvedRelation) node, node, null, null); return; }
        if (node instanceof LogicalRelation) {
            tables.add((LogicalRelation) node);
            visit(((LogicalRelation) node).output());
            return;
        }
        if (node instanceof UnresolvedFunction) {
            UnresolvedFunction called = (UnresolvedFunction) node;
            function(strings(called.nameParts()), called.arguments().size(), false);
        }
        if (node instanceof UnresolvedTableValuedFunction) {
            UnresolvedTableValuedFunction called = (UnresolvedTableValuedFunction) node;
            function(strings(called.name()), called.functionArgs().size(), true);
        }
        if (node instanceof UnresolvedGenerator) {
            List generator = new ArrayList();
            generator.add(((UnresolvedGenerator) node).name().unquotedString());
            function(generator, ((UnresolvedGenerator) node).children().size(), true);
        }
        if (node instanceof UnresolvedAttribute) attributes.addAll(strings(((UnresolvedAttribute) node).nameParts()));
        if (node instanceof AttributeReference) attribute((AttributeReference) node);
        if (node instanceof StaticInvoke) invoked.add(((StaticInvoke) node).staticObject().getName());
        if (node instanceof UnresolvedHint) hints.add(((UnresolvedHint) node).name());
        if (name.endsWith(".UnresolvedStar") || name.endsWith(".UnresolvedStarExceptOrReplace")) starred((scala.Product) node);
        if (name.endsWith(".UnresolvedWith")) named((scala.collection.Iterable) ((scala.Product) node).productElement(1));
        fields((scala.Product) node);
        // Children are fields as well; should a class ever keep one elsewhere, it is met here.
        visit(node.children());
        visit(node.innerChildren());
    }

    void attribute(AttributeReference attribute) {
        attributes.add(attribute.name());
        if (attribute.metadata().contains("__metadata_col") || attribute.metadata().contains("__file_source_metadata_col"))
            others.add("hidden column " + attribute.name());
    }

    void starred(scala.Product star) {
        Object target = star.productElement(0);
        if (target instanceof scala.Option && ((scala.Option) target).isDefined())
            attributes.addAll(strings((scala.collection.Iterable) ((scala.Option) target).get()));
    }

    void named(scala.collection.Iterable definitions) {
        scala.collection.Iterator each = definitions.iterator();
        while (each.hasNext()) ctes.add(((scala.Product) each.next()).productElement(0));
    }

    void function(List name, int arguments, boolean table) {
        Map called = new LinkedHashMap();
        called.put("name", name);
        called.put("arguments", Integer.valueOf(arguments));
        called.put("table", Boolean.valueOf(table));
        functions.add(called);
    }

    void travel(RelationTimeTravel travel) {
        String timestamp = null;
        if (travel.timestamp().isDefined()) {
            Object when = travel.timestamp().get();
            // A string is handed on as it is written; anything computed is told apart by being empty.
            boolean plain = when instanceof Literal && ((Literal) when).value() != null;
            timestamp = plain ? Literals.text((Literal) when) : "";
            if (!plain) visit(when);
        }
        String version = travel.version().isDefined() ? (String) travel.version().get() : null;
        seen.put(travel.relation(), travel);
        plans.add(travel.relation().getClass().getName());
        relation((UnresolvedRelation) travel.relation(), travel, version, timestamp);
    }

    void relation(UnresolvedRelation relation, TreeNode node, String version, String timestamp) {
        Map named = new LinkedHashMap();
        named.put("name", strings(relation.multipartIdentifier()));
        named.put("options", Boolean.valueOf(!relation.options().isEmpty()));
        named.put("streaming", Boolean.valueOf(relation.isStreaming()));
        named.put("version", version);
        named.put("timestamp", timestamp);
        relations.add(named);
        relationNodes.add(node);
    }

    // How many relations there are once every name given by WITH is replaced by what it stands for: names that stand for
    // two of the name before double at each step, and Spark would analyse them all before anybody could stop it.
    public static long size(Object what, Map given) {
        long size = 0;
        if (what instanceof UnresolvedRelation) {
            List name = strings(((UnresolvedRelation) what).multipartIdentifier());
            Object stands = name.size() == 1 ? given.get(((String) name.get(0)).toLowerCase()) : null;
            return stands == null ? 1 : ((Long) stands).longValue();
        }
        if (what instanceof Literal || what instanceof DataType) return 0;
        if (what instanceof TreeNode && what.getClass().getName().endsWith(".UnresolvedWith")) {
            scala.Product with = (scala.Product) what;
            Map inside = new LinkedHashMap(given);
            scala.collection.Iterator each = ((scala.collection.Iterable) with.productElement(1)).iterator();
            while (each.hasNext()) {
                scala.Product definition = (scala.Product) each.next();
                inside.put(((String) definition.productElement(0)).toLowerCase(), Long.valueOf(Math.max(1, size(definition.productElement(1), inside))));
            }
            return size(with.productElement(0), inside);
        }
        scala.collection.Iterator parts = null;
        if (what instanceof scala.collection.Iterable) parts = ((scala.collection.Iterable) what).iterator();
        else if (what instanceof scala.Product) parts = ((scala.Product) what).productIterator();
        while (parts != null && parts.hasNext()) size = Math.min(size + size(parts.next(), given), Integer.MAX_VALUE);
        return size;
    }

    static List strings(scala.collection.Iterable values) {
        List strings = new ArrayList();
        scala.collection.Iterator each = values.iterator();
        while (each.hasNext()) strings.add(String.valueOf(each.next()));
        return strings;
    }
}

// The text of a constant, as a date or time can be given to Delta.
class Literals {
    static String text(Literal literal) {
        if (literal.value() instanceof org.apache.spark.unsafe.types.UTF8String) return literal.value().toString();
        String type = literal.dataType().simpleString();
        if (type.equals("timestamp") || type.equals("date") || type.equals("timestamp_ntz")) {
            String sql = literal.sql(); // TIMESTAMP '…'
            int quote = sql.indexOf('\'');
            return quote < 0 ? "" : sql.substring(quote + 1, sql.length() - 1);
        }
        return "";
    }
}
