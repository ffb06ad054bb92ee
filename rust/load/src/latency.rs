//! The latency server: reads a delay in microseconds (8 bytes, big-endian), answers with the same bytes after that time.
//!
//! Says its port in a `hold` line, serves until a line or the end of stdin, then says how late its answers were.

use crate::{
    clock::{Alarm, cpu_ns, now_ns},
    error::Result,
    samples::Samples,
};
use serde_json::json;
use std::{
    cell::RefCell,
    io::{ErrorKind, stdin},
    net::Ipv4Addr,
    os::fd::AsFd,
    rc::Rc,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream, unix::pipe::Receiver},
    task::{LocalSet, spawn_local, yield_now},
};

/// An alarm wakes an idle CPU 50 to 300 microseconds late on a virtual machine, so it is set early; what is left is spun away.
const EARLY_NS: u64 = 200_000;

type Lateness = Rc<RefCell<Samples>>;

/// Serves until there is something to read on stdin, which must be a pipe.
///
/// # Errors
/// No socket can be had; stdin is no pipe.
pub async fn serve_latency() -> Result {
    LocalSet::new().run_until(serve()).await
}

async fn serve() -> Result {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let port = listener.local_addr()?.port();
    println!("{}", json!({"type": "hold", "point": "serving", "units": 0, "port": port}));
    let (begun_ns, begun_cpu_ns) = (now_ns(), cpu_ns());
    let lateness = Lateness::default();
    spawn_local(accept(listener, lateness.clone()));
    Receiver::from_owned_fd(stdin().as_fd().try_clone_to_owned()?)?.readable().await?;
    let (elapsed_ns, cpu_ns) = (now_ns() - begun_ns, cpu_ns() - begun_cpu_ns);
    println!("{}", json!({"elapsed_ns": elapsed_ns, "cpu_ns": cpu_ns, "lateness": *lateness.borrow()}));
    Ok(())
}

async fn accept(listener: TcpListener, lateness: Lateness) {
    loop {
        match listener.accept().await {
            Ok((socket, _)) => drop(spawn_local(speak(socket, lateness.clone()))),
            Err(error) => eprintln!("latency server: {error}"),
        }
    }
}

async fn speak(socket: TcpStream, lateness: Lateness) {
    match answer(socket, &lateness).await {
        Err(error) if error.kind() != ErrorKind::UnexpectedEof => eprintln!("latency server: {error}"),
        _ => {}
    }
}

/// Answers one connection until its other side closes it, which reads as an unexpected end.
async fn answer(mut socket: TcpStream, lateness: &RefCell<Samples>) -> std::io::Result<()> {
    socket.set_nodelay(true)?;
    let mut alarm = Alarm::new()?;
    loop {
        let mut delay = [0; 8];
        socket.read_exact(&mut delay).await?;
        let due = now_ns().saturating_add(u64::from_be_bytes(delay).saturating_mul(1000));
        alarm.sleep_until(due.saturating_sub(EARLY_NS)).await?;
        while now_ns() < due {
            yield_now().await;
        }
        lateness.borrow_mut().record(now_ns().saturating_sub(due));
        socket.write_all(&delay).await?;
    }
}
