// Which column comes from which, in an analysed plan: what every column that appears is made of.
package bailiwick.gate;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Exists;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationDef;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationRef;
import org.apache.spark.sql.catalyst.plans.logical.Expand;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.plans.logical.UnionLoop;
import org.apache.spark.sql.catalyst.plans.logical.UnionLoopRef;
import org.apache.spark.sql.catalyst.trees.TreeNode;

public class Flow {
    final Map made = new LinkedHashMap(); // column id -> ids of the columns it is made of
    final Map definitions = new LinkedHashMap(); // id of a CTE or of a recursion -> its output
    final List references = new ArrayList();

    public Map of(Walk walk) {
        for (Object node : walk.seen.keySet()) note(node);
        for (Object reference : references) {
            Object[] pair = (Object[]) reference;
            List behind = (List) definitions.get(pair[0]);
            if (behind != null) line(((scala.collection.Iterable) pair[1]), behind);
        }
        return made;
    }

    void note(Object node) {
        if (node instanceof Alias) add(id(((Alias) node).toAttribute()), columns(((Alias) node).child()));
        else if (node instanceof Union) {
            scala.collection.Iterator children = ((Union) node).children().iterator();
            while (children.hasNext()) line(((Union) node).output(), ids(((LogicalPlan) children.next()).output()));
        } else if (node instanceof UnionLoop) {
            UnionLoop loop = (UnionLoop) node;
            line(loop.output(), ids(loop.anchor().output()));
            line(loop.output(), ids(loop.recursion().output()));
            definitions.put("loop " + loop.id(), ids(loop.output()));
        } else if (node instanceof UnionLoopRef)
            references.add(new Object[] {"loop " + ((UnionLoopRef) node).loopId(), ((UnionLoopRef) node).output()});
        else if (node instanceof CTERelationDef)
            definitions.put("cte " + ((CTERelationDef) node).id(), ids(((CTERelationDef) node).child().output()));
        else if (node instanceof CTERelationRef)
            references.add(new Object[] {"cte " + ((CTERelationRef) node).cteId(), ((CTERelationRef) node).output()});
        else if (node instanceof Generate) {
            List from = columns(((Generate) node).generator());
            for (Object column : ids(((Generate) node).generatorOutput())) add((String) column, from);
        } else if (node instanceof Expand) {
            scala.collection.Iterator projections = ((Expand) node).projections().iterator();
            while (projections.hasNext()) {
                scala.collection.Iterator values = ((scala.collection.Iterable) projections.next()).iterator();
                scala.collection.Iterator output = ((Expand) node).output().iterator();
                while (values.hasNext() && output.hasNext()) add(id((Attribute) output.next()), columns(values.next()));
            }
        }
    }

    void line(scala.collection.Iterable output, List from) {
        scala.collection.Iterator each = output.iterator();
        for (int i = 0; each.hasNext() && i < from.size(); i++) {
            List one = new ArrayList();
            one.add(from.get(i));
            add(id((Attribute) each.next()), one);
        }
    }

    void add(String column, List from) {
        LinkedHashSet all = (LinkedHashSet) made.get(column);
        if (all == null) {
            all = new LinkedHashSet();
            made.put(column, all);
        }
        all.addAll(from);
    }

    static List columns(Object expression) {
        List found = new ArrayList();
        collect(expression, found, new IdentityHashMap());
        return found;
    }

    static void collect(Object what, List found, IdentityHashMap seen) {
        if (what instanceof scala.Option) {
            scala.Option option = (scala.Option) what;
            if (option.isDefined()) collect(option.get(), found, seen);
        } else if (what instanceof TreeNode) {
            if (what instanceof Literal || seen.put(what, what) != null) return;
            if (what instanceof AttributeReference) { found.add(id((Attribute) what)); return; }
            if (what instanceof SubqueryExpression) { // its value is its output; EXISTS gives none of it away
                if (!(what instanceof Exists)) found.addAll(ids(((SubqueryExpression) what).plan().output()));
                return;
            }
            scala.collection.Iterator fields = ((scala.Product) what).productIterator();
            while (fields.hasNext()) collect(fields.next(), found, seen);
        } else if (what instanceof scala.collection.Iterable) {
            scala.collection.Iterator parts = ((scala.collection.Iterable) what).iterator();
            while (parts.hasNext()) collect(parts.next(), found, seen);
        } else if (what instanceof scala.Product && what.getClass().getName().startsWith("scala.Tuple")) {
            scala.collection.Iterator fields = ((scala.Product) what).productIterator();
            while (fields.hasNext()) collect(fields.next(), found, seen);
        }
    }

    static List ids(scala.collection.Iterable attributes) {
        List ids = new ArrayList();
        scala.collection.Iterator each = attributes.iterator();
        while (each.hasNext()) ids.add(id((Attribute) each.next()));
        return ids;
    }

    public static String id(Attribute attribute) {
        return Long.toString(attribute.exprId().id());
    }
}
