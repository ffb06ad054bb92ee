//! The latency server as the runner uses it: a process that says its port, answers, and reports when told to end.

use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

fn wait(socket: &mut TcpStream, microseconds: u64) -> Duration {
    let begun = Instant::now();
    socket.write_all(&microseconds.to_be_bytes()).unwrap();
    let mut answer = [0; 8];
    socket.read_exact(&mut answer).unwrap();
    assert_eq!(u64::from_be_bytes(answer), microseconds);
    begun.elapsed()
}

#[test]
fn answers_after_the_delay_on_every_connection_and_reports() {
    let mut process = Command::new(env!("CARGO_BIN_EXE_corobench-load"))
        .arg("latency")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(process.stdout.take().unwrap()).lines();
    let hold: Value = serde_json::from_str(&said.next().unwrap().unwrap()).unwrap();
    assert_eq!(hold["point"], "serving");
    let port = u16::try_from(hold["port"].as_u64().unwrap()).unwrap();

    let clients = [0_u64, 1_000, 20_000].map(|delay| {
        thread::spawn(move || {
            let mut socket = TcpStream::connect(("127.0.0.1", port)).unwrap();
            for _ in 0..10 {
                assert!(wait(&mut socket, delay) >= Duration::from_micros(delay));
            }
        })
    });
    for client in clients {
        client.join().unwrap();
    }

    drop(process.stdin.take());
    let report: Value = serde_json::from_str(&said.next().unwrap().unwrap()).unwrap();
    let answered: u64 = report["lateness"].as_array().unwrap().iter().map(|bucket| bucket[1].as_u64().unwrap()).sum();
    assert_eq!(answered, 30);
    assert!(report["cpu_ns"].as_u64().unwrap() <= report["elapsed_ns"].as_u64().unwrap());
    assert!(said.next().is_none());
    assert!(process.wait().unwrap().success());
}
