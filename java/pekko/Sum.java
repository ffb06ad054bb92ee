package pekko;

/** How many results have come, and what they add up to. */
final class Sum {
    int finished;
    long total;

    void add(Result result) {
        finished++;
        total += result.value();
    }
}
