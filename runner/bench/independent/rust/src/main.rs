//! spawn, switch and hand-off over Tokio, as somebody writes them who has no harness.
//! Run: independent spawn|switch|hand-off ROUNDS current-thread|multi-thread

use std::env;
use tokio::{
    runtime::Builder,
    sync::mpsc::{Receiver, Sender, channel},
    task::yield_now,
};

async fn spawn() {
    let tasks: Vec<_> = (0..1000_u64).map(|i| tokio::spawn(async move { i })).collect();
    let mut sum = 0;
    for task in tasks {
        sum += task.await.unwrap();
    }
    assert_eq!(sum, 499_500);
}

async fn switch() {
    let yields = || async {
        for _ in 0..200 {
            yield_now().await;
        }
    };
    let tasks: Vec<_> = (0..100).map(|_| tokio::spawn(yields())).collect();
    for task in tasks {
        task.await.unwrap();
    }
}

async fn play(mut inbox: Receiver<u64>, outbox: Sender<u64>) -> Receiver<u64> {
    for _ in 0..500 {
        let token = inbox.recv().await.unwrap();
        outbox.send(token + 1).await.unwrap();
    }
    inbox
}

async fn hand_off() {
    let (to_left, left) = channel(1);
    let (to_right, right) = channel(1);
    let first = tokio::spawn(play(left, to_right));
    let second = tokio::spawn(play(right, to_left.clone()));
    to_left.send(0).await.unwrap();
    let mut left = first.await.unwrap();
    second.await.unwrap();
    assert_eq!(left.recv().await, Some(1000));
}

fn main() {
    let arguments: Vec<_> = env::args().collect();
    let rounds: u64 = arguments[2].parse().unwrap();
    let mut builder = match arguments[3].as_str() {
        "multi-thread" => Builder::new_multi_thread(),
        _ => Builder::new_current_thread(),
    };
    let runtime = builder.enable_all().build().unwrap();
    let root = async move {
        for _ in 0..rounds {
            match arguments[1].as_str() {
                "spawn" => spawn().await,
                "switch" => switch().await,
                _ => hand_off().await,
            }
        }
    };
    runtime.block_on(runtime.spawn(root)).unwrap();
}
