// Serves one small page with libmicrohttpd, by a thread for each connection or by one thread that polls all.
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "harness/arguments.h"
#include "harness/harness.h"
#include "harness/serving.h"

static char page[] = "Blah\n";

static struct MHD_Daemon *server;

const char *runtime_settings(void) {
    static char settings[96];
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server, MHD_DAEMON_INFO_FLAGS);
    if (info == NULL) fail("libmicrohttpd does not tell its flags");
    snprintf(settings, sizeof settings, "{\"libmicrohttpd\":\"%s\",\"thread_per_connection\":%s,\"epoll\":%s}", MHD_get_version(),
             info->flags & MHD_USE_THREAD_PER_CONNECTION ? "true" : "false", info->flags & MHD_USE_EPOLL ? "true" : "false");
    return settings;
}

long runtime_identity(void) { return 0; }

static enum MHD_Result answer(void *unused, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **request) {
    (void)unused, (void)version, (void)upload, (void)upload_size;
    // The first call comes with the headers: an answer to that, before the request is complete, ends the connection.
    static char begun;
    if (*request == NULL) {
        *request = &begun;
        return MHD_YES;
    }
    bool found = strcmp(method, MHD_HTTP_METHOD_GET) == 0 && strcmp(url, "/") == 0;
    struct MHD_Response *response = MHD_create_response_from_buffer(found ? strlen(page) : 0, page, MHD_RESPMEM_PERSISTENT);
    if (response == NULL) return MHD_NO;
    enum MHD_Result queued = MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/html");
    if (queued == MHD_YES) queued = MHD_queue_response(connection, found ? MHD_HTTP_OK : MHD_HTTP_NOT_FOUND, response);
    MHD_destroy_response(response);
    return queued;
}

static int start(unsigned flags) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    server = MHD_start_daemon(flags | MHD_USE_ERROR_LOG, 0, NULL, NULL, answer, NULL, MHD_OPTION_SOCK_ADDR, &address,
                              MHD_OPTION_END);
    if (server == NULL) fail("libmicrohttpd does not start: %s", strerror(errno));
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server, MHD_DAEMON_INFO_BIND_PORT);
    if (info == NULL) fail("libmicrohttpd does not tell its port");
    return info->port;
}

int main(int argc, char **argv) {
    bool epoll = choice(argc, argv, "polling", (const char *const[]){"threads", "epoll", NULL}) == 1;
    const char *const phases[] = {"one-new", "one-keep", "many-new", "many-keep", "open", NULL};
    const char *phase = phases[choice(argc, argv, "phase", phases)];
    refuse_others(argc, argv);
    int port = start(epoll ? MHD_USE_EPOLL_INTERNAL_THREAD
                           : MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO);
    // The load is the runner's: a server is only told its name.
    serve("http", "phase", phase, port);
    MHD_stop_daemon(server);
    end();
}
