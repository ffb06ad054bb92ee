// What mutex and semaphore share: tasks that were let in, one or several at once, give way while they are inside.
#pragma once

#include "boost-fiber/crew.hpp"
#include "harness/contest.hpp"

inline void give_way(room &inside) {
    if (!inside.contended) return;
    boost::this_fiber::yield();
    inside.yields++;
}
