//! Serves one small page with hyper's own HTTP/1 connections, each in a task.

use http_body_util::Full;
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::CONTENT_TYPE,
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use runtime::serve;
use std::{io, process::ExitCode};
use tokio::net::{TcpListener, TcpStream};

async fn page(request: Request<Incoming>) -> hyper::http::Result<Response<Full<Bytes>>> {
    if request.method() != Method::GET || request.uri().path() != "/" {
        return Response::builder().status(StatusCode::NOT_FOUND).body(Full::default());
    }
    Response::builder().header(CONTENT_TYPE, "text/html").body(Full::from("Blah\n"))
}

async fn converse(stream: TcpStream) {
    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(page));
    if let Err(error) = connection.await {
        eprintln!("a connection ended: {error}");
    }
}

async fn accept(listener: TcpListener) -> io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(converse(stream));
    }
}

fn main() -> ExitCode {
    serve::http(env!("COROBENCH_VERSION"), accept)
}
