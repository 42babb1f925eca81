// What a class of Spark takes when it is made, and what it shows of that to a walk.
package bailiwick.probe;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

public class Probe {
    public int takes(String name) throws Exception {
        int most = 0;
        Constructor[] all = find(name).getDeclaredConstructors();
        for (int i = 0; i < all.length; i++) most = Math.max(most, all[i].getParameterTypes().length);
        return most;
    }

    public String shows(String name) throws Exception {
        Class found = find(name);
        Method[] all = found.getMethods();
        for (int i = 0; i < all.length; i++) {
            Class[] takes = all[i].getParameterTypes();
            if (all[i].getName().equals("unapply") && Modifier.isStatic(all[i].getModifiers()) && takes.length == 1 && takes[0] == found)
                return all[i].getGenericReturnType().toString();
        }
        return "";
    }

    Class find(String name) throws Exception {
        return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
    }
}
