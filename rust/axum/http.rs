//! Serves one small page with axum.

use axum::{Router, http::header::CONTENT_TYPE, response::IntoResponse, routing::get, serve::ListenerExt};
use runtime::serve;
use std::{io, process::ExitCode};
use tokio::net::TcpListener;

async fn page() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/html")], "Blah\n")
}

async fn accept(listener: TcpListener) -> io::Result<()> {
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            eprintln!("TCP_NODELAY: {error}");
        }
    });
    axum::serve(listener, Router::new().route("/", get(page))).await
}

fn main() -> ExitCode {
    serve::http(env!("COROBENCH_VERSION"), accept)
}
