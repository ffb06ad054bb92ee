package thread.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

final class MailboxTest {
    @Test
    void aTokenWakesWhoeverWaitsForIt() throws Exception {
        var mailbox = new Mailbox();
        var received = new FutureTask<>(mailbox::take);
        var reader = new Thread(received);
        reader.start();
        while (reader.getState() != Thread.State.WAITING) Thread.onSpinWait();
        mailbox.put(7);
        assertEquals(7, received.get());
    }

    @Test
    void thereIsRoomForOne() throws Exception {
        var mailbox = new Mailbox();
        mailbox.put(1);
        assertThrows(IllegalStateException.class, () -> mailbox.put(2));
        assertEquals(1, mailbox.take());
    }
}
