package harness;

/** A wrong command line or environment; the message says what is wrong with it. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UsageException(String message) {
        super(message);
    }
}
