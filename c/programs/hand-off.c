// Two tasks pass a token back and forth, over channels that hold one value each or, where the variant says so, mailboxes.
#include "token.h"

static void *new_mailbox(void) { return mailbox_new(); }

static long take_from_mailbox(void *inbox) { return mailbox_take(inbox); }

static void put_into_mailbox(void *inbox, long token) { mailbox_put(inbox, token); }

static void free_mailbox(void *unused) { mailbox_free(unused); }

static long hop_by_mailboxes(void *argument) { return hop_by(argument, take_from_mailbox, put_into_mailbox); }

static const struct inboxes mailboxes = {new_mailbox, take_from_mailbox, put_into_mailbox, free_mailbox, hop_by_mailboxes};

int main(int argc, char **argv) {
    begin("hand-off", argc, argv, (const char *const[]){"m", NULL});
    const struct inboxes *by = over_mailboxes() ? &mailboxes : &channels;
    while (wanted()) pass_token(2, parameter("m"), by);
    end();
}
