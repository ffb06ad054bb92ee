// What mutex and semaphore share: tasks that were let in, one or several at once, give way while they are inside.
#pragma once

#include "boost-fiber/crew.hpp"

// What a task tells of itself: how often it was let in, and the most entries of others between two of its own.
struct turns {
    long taken = 0, passed = 0;
};

// Those who are inside, the most that ever were, and how often one gave way.
struct room {
    bool contended;
    long inside = 0, most = 0, yields = 0;

    void enter(long i) {
        event("enter", i);
        most = std::max(most, ++inside);
    }
    void give_way() {
        if (!contended) return;
        boost::this_fiber::yield();
        yields++;
    }
    void leave(long i) {
        inside--;
        event("leave", i);
    }
};
