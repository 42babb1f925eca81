// Puts tables in the place of names, in every field of a parsed plan. What is not replaced stays the same object.
package bailiwick.gate;

import java.util.IdentityHashMap;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import scala.collection.mutable.Builder;

public class Rebuild {
    final IdentityHashMap tables;
    final IdentityHashMap done = new IdentityHashMap();

    public Rebuild(IdentityHashMap tables) {
        this.tables = tables;
    }

    public LogicalPlan plan(LogicalPlan plan) throws Exception {
        return (LogicalPlan) rebuilt(plan);
    }

    Object rebuilt(Object what) throws Exception {
        if (what instanceof TreeNode) {
            Object before = done.get(what);
            if (before != null) return before;
            Object after = node((TreeNode) what);
            done.put(what, after);
            return after;
        }
        if (what instanceof scala.Option) {
            scala.Option option = (scala.Option) what;
            if (!option.isDefined()) return what;
            Object inside = rebuilt(option.get());
            return inside == option.get() ? what : scala.Option.apply(inside);
        }
        if (what instanceof scala.collection.immutable.Seq) return sequence((scala.collection.immutable.Seq) what);
        if (what instanceof scala.collection.immutable.Map) return what; // no class that is let through keeps a plan in a map
        if (what instanceof scala.Product && what.getClass().getName().startsWith("scala.Tuple")) return tuple((scala.Product) what);
        return what;
    }

    Object node(TreeNode node) throws Exception {
        Object table = tables.get(node);
        if (table != null) return table;
        if (node instanceof UnresolvedRelation && ((UnresolvedRelation) node).multipartIdentifier().size() != 1)
            throw new IllegalStateException("a name was left over");
        if (node instanceof Literal) return node;
        scala.Product product = (scala.Product) node;
        Object[] fields = new Object[product.productArity()];
        boolean changed = false;
        for (int i = 0; i < fields.length; i++) {
            Object field = product.productElement(i);
            fields[i] = rebuilt(field);
            changed = changed || fields[i] != field;
        }
        return changed ? node.makeCopy(fields) : node;
    }

    Object sequence(scala.collection.immutable.Seq values) throws Exception {
        Builder builder = scala.collection.immutable.Seq$.MODULE$.newBuilder();
        boolean changed = false;
        scala.collection.Iterator each = values.iterator();
        while (each.hasNext()) {
            Object before = each.next();
            Object after = rebuilt(before);
            changed = changed || before != after;
            builder.addOne(after);
        }
        return changed ? builder.result() : values;
    }

    Object tuple(scala.Product tuple) throws Exception {
        Object[] fields = new Object[tuple.productArity()];
        boolean changed = false;
        for (int i = 0; i < fields.length; i++) {
            fields[i] = rebuilt(tuple.productElement(i));
            changed = changed || fields[i] != tuple.productElement(i);
        }
        if (!changed) return tuple;
        return tuple.getClass().getConstructors()[0].newInstance(fields);
    }
}
