//! One client: sends the stream's next request as soon as it is free, or when it is due.

use crate::{
    clock::{Alarm, now_ns},
    error::Result,
    http::{Connection, Fault},
    stream::Running,
};
use std::rc::Rc;

/// Sends requests until the stream has none left, the first on `kept` where there is a connection already.
///
/// In an open loop a free client waits for the next request's time. Latency counts from then, also where all clients were
/// busy at that moment: counting from the moment of sending would leave out what a stalled server does to those who come
/// meanwhile (coordinated omission).
pub async fn client(stream: Rc<Running>, number: usize, mut kept: Option<Connection>) -> Result {
    let mut alarm = Alarm::new()?;
    while let Some(due) = stream.take() {
        if stream.is_open() {
            wait(&mut alarm, due, &stream).await?;
        }
        stream.begin(number, due);
        let result = request(&stream, &mut kept).await;
        stream.finish(number, result);
    }
    Ok(())
}

async fn wait(alarm: &mut Alarm, due: u64, stream: &Running) -> Result {
    if now_ns() < due {
        alarm.sleep_until(due).await?;
    } else {
        stream.report.borrow_mut().queued += 1;
    }
    Ok(())
}

async fn request(stream: &Running, kept: &mut Option<Connection>) -> std::result::Result<(), Fault> {
    let mut connection = if let Some(connection) = kept.take() {
        connection
    } else {
        let opened = Connection::open(stream.port).await?;
        stream.report.borrow_mut().connections += 1;
        opened
    };
    if connection.exchange(&stream.exchange).await? && stream.keepalive {
        *kept = Some(connection);
    }
    Ok(())
}
