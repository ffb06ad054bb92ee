// Serves one small page with nginx as it comes: configures it, starts it on a port that the kernel chose, and ends it.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/arguments.h"
#include "harness/harness.h"
#include "harness/serving.h"

enum { BACKLOG = 511, LONGEST = 1024, PATIENCE_MS = 10000 };

static const char configuration[] =
    "daemon off;\n"
    "%s\n"
    "worker_processes %d;\n"
    "pid pid;\n"
    "error_log stderr;\n"
    "events {}\n"
    "http {\n"
    "    access_log off;\n"
    "    default_type text/html;\n"
    "    client_body_temp_path body;\n"
    "    proxy_temp_path proxy;\n"
    "    fastcgi_temp_path fastcgi;\n"
    "    uwsgi_temp_path uwsgi;\n"
    "    scgi_temp_path scgi;\n"
    "    server {\n"
    "        listen 127.0.0.1:%d;\n"
    "        location = / { return 200 \"Blah\\n\"; }\n"
    "    }\n"
    "}\n";

static char folder[PATH_MAX];
static int workers;
static char version[32];

const char *runtime_settings(void) {
    static char settings[96];
    snprintf(settings, sizeof settings, "{\"nginx\":\"%s\",\"workers\":%d}", version, workers);
    return settings;
}

long runtime_identity(void) { return 0; }

// CPUs that this process was given: nginx itself, asked for `auto`, counts those of the box.
static int given_cpus(void) {
    cpu_set_t cpus;
    if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) fail("sched_getaffinity: %s", strerror(errno));
    return CPU_COUNT(&cpus);
}

// A listening socket on a free port, which nginx by itself can't be asked for; its backlog is nginx's own.
static int listening(int *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int made = socket(AF_INET, SOCK_STREAM, 0);
    if (made < 0 || bind(made, (struct sockaddr *)&address, length) != 0 || listen(made, BACKLOG) != 0 ||
        getsockname(made, (struct sockaddr *)&address, &length) != 0)
        fail("no socket: %s", strerror(errno));
    *port = ntohs(address.sin_port);
    return made;
}

static void configure(const char *file, int port) {
    // Started by root, its workers would be nobody's.
    const char *user = geteuid() == 0 ? "user root;" : "";
    FILE *written = fopen(file, "w");
    if (written == NULL || fprintf(written, configuration, user, given_cpus(), port) < 0 || fclose(written) != 0)
        fail("%s: %s", file, strerror(errno));
}

static void make_folder(void) {
    const char *place = getenv("TMPDIR");
    int length = snprintf(folder, sizeof folder, "%s/corobench-XXXXXX", place == NULL ? "/tmp" : place);
    if (length >= (int)sizeof folder) fail("TMPDIR is too long");
    if (mkdtemp(folder) == NULL) fail("%s: %s", folder, strerror(errno));
}

// In the child: becomes nginx, which ends when its parent does and leaves the runner's pipes alone.
static void become_nginx(const char *file, int socket, pid_t parent) {
    const char *nginx = getenv("COROBENCH_NGINX");
    char inherited[16];
    // The variable by which one nginx hands its sockets to the next.
    snprintf(inherited, sizeof inherited, "%d;", socket);
    if (nginx == NULL) fail("the environment variable COROBENCH_NGINX must name nginx");
    if (setenv("NGINX", inherited, 1) != 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 || close(STDIN_FILENO) != 0 ||
        open("/dev/null", O_RDONLY) != STDIN_FILENO || prctl(PR_SET_PDEATHSIG, SIGTERM) != 0)
        fail("nginx: %s", strerror(errno));
    if (getppid() != parent) fail("the program that started nginx is gone");
    execl(nginx, nginx, "-p", folder, "-c", file, NULL);
    fail("%s: %s", nginx, strerror(errno));
}

static pid_t start(const char *file, int socket) {
    pid_t self = getpid(), child = fork();
    if (child < 0) fail("fork: %s", strerror(errno));
    if (child == 0) become_nginx(file, socket, self);
    close(socket);
    return child;
}

// Asks for the page once: the answer says that nginx serves, and which it is.
static void ask_version(int port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    static const char request[] = "GET / HTTP/1.0\r\n\r\n";
    char answer[LONGEST] = "";
    int asking = socket(AF_INET, SOCK_STREAM, 0);
    if (asking < 0 || connect(asking, (struct sockaddr *)&address, sizeof address) != 0 ||
        write(asking, request, sizeof request - 1) != sizeof request - 1)
        fail("nginx can't be asked: %s", strerror(errno));
    size_t length = 0;
    for (ssize_t got; (got = read(asking, answer + length, sizeof answer - 1 - length)) > 0;) length += (size_t)got;
    close(asking);
    const char *said = strstr(answer, "Server: nginx/");
    if (said == NULL || sscanf(said, "Server: nginx/%31[0-9.]", version) != 1)
        fail("nginx does not answer: %s", answer);
}

static int children(pid_t parent) {
    char file[64];
    snprintf(file, sizeof file, "/proc/%d/task/%d/children", parent, parent);
    FILE *list = fopen(file, "r");
    if (list == NULL) fail("%s: %s", file, strerror(errno));
    int found = 0;
    while (fscanf(list, "%*d") != EOF) found++;
    fclose(list);
    return found;
}

// The first worker may answer before the last is there.
static void await_workers(pid_t master) {
    for (int waited = 0; (workers = children(master)) < given_cpus(); waited++) {
        if (waited == PATIENCE_MS) fail("nginx has started %d workers only", workers);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static int discard(const char *path, const struct stat *unused, int kind, struct FTW *place) {
    (void)unused, (void)kind, (void)place;
    return remove(path);
}

// What nginx wrote while it started is needed no more, and so stays nowhere however this process ends.
static void discard_folder(void) {
    if (nftw(folder, discard, 8, FTW_DEPTH | FTW_PHYS) != 0) fail("%s: %s", folder, strerror(errno));
}

static void stop(pid_t master) {
    int status;
    if (kill(master, SIGTERM) != 0 || waitpid(master, &status, 0) != master) fail("nginx: %s", strerror(errno));
    if (status != 0) fail("nginx ended with status %d", status);
}

int main(int argc, char **argv) {
    const char *const phases[] = {"one-new", "one-keep", "many-new", "many-keep", "open", NULL};
    const char *phase = phases[choice(argc, argv, "phase", phases)];
    refuse_others(argc, argv);
    make_folder();
    char file[sizeof folder + sizeof "/nginx.conf"];
    snprintf(file, sizeof file, "%s/nginx.conf", folder);
    int port;
    int socket = listening(&port);
    configure(file, port);
    pid_t master = start(file, socket);
    ask_version(port);
    await_workers(master);
    discard_folder();
    // The load is the runner's: a server is only told its name.
    serve_as_launcher("http", "phase", phase, port);
    stop(master);
    end();
}
