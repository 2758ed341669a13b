/** What Shed loads and forgets. */
public class Leaf {
    int[] some = new int[10];
}
