//! What the generator sends, checks and reports, against servers that behave and misbehave.

mod server;

use corobench_load::{Plan, Report, StreamReport, run, single_threaded};
use serde_json::{Value, json};
use server::{Request, Server, answer, serve};
use std::{
    net::Ipv4Addr,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};
use tokio::net::TcpSocket;

/// A cap for failures only.
const NEVER_MS: u64 = 600_000;

fn stream(changes: Value) -> Value {
    let mut stream = json!({
        "name": "main", "method": "GET", "path": "/", "status": 200, "expect": {"text": "Blah\n"},
        "clients": 1, "keepalive": true, "requests": 1,
    });
    let Value::Object(changes) = changes else { panic!("changes are an object") };
    stream.as_object_mut().unwrap().extend(changes);
    stream
}

fn load(port: u16, cap_ms: u64, streams: &[Value]) -> Report {
    let plan = json!({"port": port, "cap_ms": cap_ms, "streams": streams}).to_string();
    single_threaded().unwrap().block_on(run(Plan::parse(&plan).unwrap())).unwrap()
}

fn one(server: &Server, changes: Value) -> StreamReport {
    load(server.port, NEVER_MS, &[stream(changes)]).streams.remove(0)
}

fn blah() -> Server {
    serve(|_| answer(200, "Blah\n"))
}

fn errors(report: &StreamReport) -> Value {
    serde_json::to_value(&report.errors).unwrap()
}

#[test]
fn kept_connections_are_as_many_as_clients() {
    let server = blah();
    let report = one(&server, json!({"clients": 7, "requests": 500}));
    assert_eq!((report.requests, report.latency.count(), errors(&report)), (500, 500, json!({})));
    assert_eq!((report.connections, report.opened), (7, 7), "each of them before the clock");
    assert_eq!(server.seen.requests.load(Ordering::Relaxed), 500);
    assert_eq!(server.seen.connections.load(Ordering::Relaxed), 7);
}

#[test]
fn new_connections_are_as_many_as_requests() {
    let server = blah();
    let report = one(&server, json!({"clients": 3, "requests": 60, "keepalive": false}));
    assert_eq!((report.requests, report.connections, report.opened), (60, 60, 0));
    assert_eq!(server.seen.connections.load(Ordering::Relaxed), 60);
}

#[test]
fn a_stream_lasts_as_long_as_it_is_asked_to() {
    let closed = one(&blah(), json!({"clients": 2, "requests": 3, "least_ms": 50}));
    assert!(closed.requests >= 3 && closed.elapsed_ns >= 50_000_000, "{} in {} ns", closed.requests, closed.elapsed_ns);
    assert_eq!(closed.latency.count(), closed.requests);
    let open = one(&blah(), json!({"clients": 5, "requests": 3, "least_ms": 50, "rate": 1000.0}));
    assert_eq!(open.requests, 50, "those due at 0, 1 ... 49 ms");
    let longer = one(&blah(), json!({"clients": 5, "requests": 60, "least_ms": 50, "rate": 1000.0}));
    assert_eq!(longer.requests, 60);
}

#[test]
fn a_connection_that_the_server_ends_is_made_again() {
    let close = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nBlah\n";
    let server = serve(move |_| close.to_owned());
    let report = one(&server, json!({"requests": 5}));
    assert_eq!((report.requests, report.connections, report.opened), (5, 5, 1));
}

#[test]
fn a_body_is_sent_and_a_json_answer_compared_as_json() {
    let server = serve(|request: &Request| {
        assert_eq!(request.line, "POST /eval HTTP/1.1");
        answer(200, &format!("{{ \"result\" : {} }}", request.body.len()))
    });
    let post = json!({"method": "POST", "path": "/eval", "body": "[1,2,3]", "expect": {"json": {"result": 7}}});
    assert_eq!(one(&server, post).requests, 1);
}

#[test]
fn wrong_answers_are_counted_by_kind() {
    let server = serve(|request| match request.number {
        1 => answer(503, "Blah\n"),
        2 => answer(200, "Bleh\n"),
        3 => answer(200, "Blah\nBlah\n"),
        4 => String::new(),
        5 => "HTTP/1.1 200 OK\r\n\r\nBlah\n".to_owned(),
        _ => answer(200, "Blah\n"),
    });
    let report = one(&server, json!({"requests": 8}));
    assert_eq!(errors(&report), json!({"status": 1, "body": 2, "closed": 1, "malformed": 1}));
    assert_eq!((report.requests, report.latency.count()), (3, 3));
}

#[test]
fn nobody_there() {
    // Bound, so that no other gets it, and never listening.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let port = socket.local_addr().unwrap().port();
    let report = load(port, NEVER_MS, &[stream(json!({"requests": 3}))]).streams.remove(0);
    assert_eq!((report.requests, errors(&report), report.opened), (0, json!({"connect": 3}), 0));
}

#[test]
fn a_background_stream_lasts_as_long_as_the_others() {
    // The side's two clients ask again only when they have an answer, and the main stream goes on when one of them has.
    let asked = AtomicU64::new(0);
    let server = serve(move |request| {
        if request.line.contains("/side") {
            asked.fetch_add(1, Ordering::Relaxed);
            return answer(200, "side");
        }
        while asked.load(Ordering::Relaxed) < 3 {
            thread::sleep(Duration::from_millis(1));
        }
        answer(200, "Blah\n")
    });
    let side = json!({"name": "side", "path": "/side", "expect": {"text": "side"}, "requests": null, "clients": 2});
    let report = load(server.port, NEVER_MS, &[stream(json!({"requests": 200})), stream(side)]);
    let [main, side] = &report.streams[..] else { panic!("two streams were asked for") };
    assert_eq!((main.requests, side.name.as_str(), side.connections), (200, "side", 2));
    assert!(side.requests > 0);
    assert!(0 < side.elapsed_ns && side.elapsed_ns <= report.elapsed_ns, "up to its last answer");
    assert_eq!(side.over_limit, 0);
}

#[test]
fn an_open_loop_keeps_to_its_schedule() {
    let report = load(blah().port, NEVER_MS, &[stream(json!({"clients": 20, "requests": 100, "rate": 1000.0}))]);
    assert_eq!(report.streams[0].requests, 100);
    assert!(report.elapsed_ns >= 90_000_000, "the last request is due after 99 ms");
    assert_eq!(report.lateness.count(), report.elapsed_ns / 1_000_000, "asked once a millisecond");
    let closed = load(blah().port, NEVER_MS, &[stream(json!({"requests": 100}))]);
    assert_eq!(closed.lateness.count(), 0);
}

/// By the shell, since a bare Debian has no program `kill`.
fn signal(process: &Child, name: &str) {
    assert!(Command::new("sh").args(["-c", &format!("kill {name} {}", process.id())]).status().unwrap().success());
}

/// Two clients know of two requests that they were late for, and of a hundred that were due meanwhile not whose fault it was.
#[test]
fn a_generator_that_stalls_says_for_how_long() {
    let server = blah();
    let asked = stream(json!({"clients": 2, "requests": 2000, "rate": 1000.0}));
    let plan = json!({"port": server.port, "cap_ms": NEVER_MS, "streams": [asked]}).to_string();
    let generator =
        Command::new(env!("CARGO_BIN_EXE_corobench-load")).arg(plan).stdout(Stdio::piped()).spawn().unwrap();
    while server.seen.requests.load(Ordering::Relaxed) == 0 {
        thread::sleep(Duration::from_millis(1));
    }
    signal(&generator, "-STOP");
    thread::sleep(Duration::from_millis(100));
    signal(&generator, "-CONT");
    let report: Value = serde_json::from_slice(&generator.wait_with_output().unwrap().stdout).unwrap();
    let ticks = |bucket: &Value| [&bucket[0], &bucket[1]].map(|number| number.as_u64().unwrap());
    let lateness = report["lateness"].as_array().unwrap().iter().map(ticks);
    let late: u64 = lateness.filter(|[ns, _]| *ns >= 20_000_000).map(|[_, count]| count).sum();
    assert!(late >= 50, "{late} of the 80 ticks that were due in the first 80 of 100 ms");
}

#[test]
fn the_cap_counts_what_was_under_way_and_what_was_due() {
    let server = serve(|_| {
        thread::sleep(Duration::from_secs(3600));
        String::new()
    });
    let report = load(server.port, 200, &[stream(json!({"clients": 4, "requests": 10}))]).streams.remove(0);
    assert_eq!((report.requests, report.over_limit, report.latency.count()), (0, 4, 4));
    let open = json!({"clients": 4, "requests": 1000, "rate": 100.0});
    let report = load(server.port, 205, &[stream(open)]).streams.remove(0);
    // Three clients may not have been on the CPU since their requests, the second to the fourth, were due.
    assert!(report.over_limit >= 18, "those due at 0, 10 ... 200 ms: {}", report.over_limit);
    assert!(report.latency.quantile(1.0) >= 200_000_000);
}

/// Gil Tene's coordinated omission: one client, a server that stalls once. The closed loop asks nothing while the server
/// stalls, so one request is slow; in the open loop all that were due meanwhile are.
#[test]
fn only_an_open_loop_sees_a_stall_at_p99() {
    let stalling = || {
        serve(|request| {
            if request.number == 200 {
                thread::sleep(Duration::from_secs(2));
            }
            answer(200, "Blah\n")
        })
    };
    let closed = one(&stalling(), json!({"requests": 400}));
    let open = one(&stalling(), json!({"requests": 400, "rate": 200.0}));
    assert!(closed.latency.quantile(1.0) >= 1_990_000_000);
    assert!(open.latency.quantile(0.99) >= 1_900_000_000);
    assert!(closed.latency.quantile(0.99) < open.latency.quantile(0.99) / 2);
}

#[test]
fn plans_that_cannot_be_carried_out_are_refused() {
    for (changes, wrong) in [
        (json!({"method": "PUT"}), "method"),
        (json!({"path": "x"}), "path"),
        (json!({"path": "/a b"}), "path"),
        (json!({"clients": 0}), "clients"),
        (json!({"requests": 0}), "requests"),
        (json!({"requests": null}), "number of requests"),
        (json!({"rate": 0.0}), "rate"),
        (json!({"speed": 9}), "unknown field"),
    ] {
        let plan = json!({"port": 1, "cap_ms": 1, "streams": [stream(changes)]}).to_string();
        let error = Plan::parse(&plan).err().expect(wrong).to_string();
        assert!(error.contains(wrong), "{error}");
    }
}
