//! Times the operations of `spawn` and `switch` under criterion, and prints its samples as one line a point.

#[path = "selfwake/switch.rs"]
#[expect(dead_code, reason = "only the operation is used, not the program around it")]
mod selfwake;
#[path = "spawn.rs"]
#[expect(dead_code, reason = "only the operation is used, not the program around it")]
mod spawn;
#[path = "switch.rs"]
#[expect(dead_code, reason = "only the operation is used, not the program around it")]
mod switch;

use corobench_harness::{Arguments, Off, Result, exit};
use criterion::Criterion;
use runtime::Flavor;
use serde_json::{Value, json};
use std::{
    env, fs,
    hint::black_box,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{self, Command, ExitCode},
    time::{Duration, Instant},
};
use tokio::runtime::Runtime;

const NONCE: u64 = 1_000_000;
const SPAWN: u32 = 1_000;
const SWITCH: [(u32, u32); 2] = [(100, 200), (2, 500)];

/// Times one operation after the other inside a task, as the programs do, and checks what each returns.
async fn time<T: PartialEq, F: Future<Output = Result<T>>>(
    rounds: u64,
    expected: T,
    operation: impl Fn() -> F,
) -> Result<Duration> {
    let start = Instant::now();
    for _ in 0..rounds {
        if black_box(operation().await?) != expected {
            return Err("the operation returned something else".into());
        }
    }
    Ok(start.elapsed())
}

async fn time_switch(rounds: u64, self_waking: bool, k: u64, m: u64) -> Result<Duration> {
    if self_waking {
        time(rounds, (k, k * (NONCE + m)), || selfwake::switch(k, m, NONCE, &Off)).await
    } else {
        time(rounds, (k, k * (NONCE + m)), || switch::switch(k, m, NONCE, &Off)).await
    }
}

/// Runs an operation as a task, as the programs' roots are.
fn drive<T: Send + 'static>(runtime: &Runtime, root: impl Future<Output = Result<T>> + Send + 'static) -> Result<T> {
    runtime.block_on(runtime.spawn(root))?
}

fn measure(runtime: &Runtime, self_waking: bool) {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600))
        .nresamples(2_000)
        .without_plots();
    criterion.bench_function("spawn", |bencher| {
        bencher.iter_custom(|rounds| {
            let n = u64::from(SPAWN);
            let operation =
                async move { time(rounds, (n, n, n * NONCE + n * (n - 1) / 2), || spawn::spawn(NONCE, n, &Off)).await };
            drive(runtime, operation).expect("every task returns its number")
        });
    });
    for (k, m) in SWITCH {
        criterion.bench_function(&format!("switch-{k}"), |bencher| {
            bencher.iter_custom(|rounds| {
                drive(runtime, time_switch(rounds, self_waking, k.into(), m.into()))
                    .expect("every task is resumed m times")
            });
        });
    }
}

fn print_sample(home: &Path, id: &str, workload: &str, params: &Value, ops: u32) -> Result {
    let sample: Value = serde_json::from_slice(&fs::read(home.join(id).join("new/sample.json"))?)?;
    let numbers = |key: &str| -> Result<Vec<f64>> { Ok(serde_json::from_value(sample[key].clone())?) };
    let per_op: Vec<_> =
        numbers("times")?.iter().zip(numbers("iters")?).map(|(time, n)| time / n / f64::from(ops)).collect();
    let line = json!({"workload": workload, "params": params, "harness": "criterion", "per_op_ns": per_op});
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// Runs this program again to measure: criterion writes its report to stdout, and its samples to a folder that it
/// only takes from the environment.
fn measure_apart(home: &Path) -> Result {
    let status = Command::new(env::current_exe()?)
        .args(env::args_os().skip(1))
        .arg("measure=1")
        .env("CRITERION_HOME", home)
        .stdout(io::stderr())
        .status()?;
    if !status.success() {
        return Err(format!("criterion's process ended with {status}").into());
    }
    print_sample(home, "spawn", "spawn", &json!({"n": SPAWN}), SPAWN)?;
    for (k, m) in SWITCH {
        print_sample(home, &format!("switch-{k}"), "switch", &json!({"k": k, "m": m}), k * m)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    exit(|| {
        let mut arguments = Arguments::parse(env::args_os().skip(1))?;
        let measures = arguments.flag("measure")?;
        let self_waking = arguments.flag("self_waking")?;
        let flavor = Flavor::from_arguments(&mut arguments)?;
        arguments.finish()?;
        if measures {
            measure(&flavor.start()?, self_waking);
            return Ok(());
        }
        let home: PathBuf = env::temp_dir().join(format!("corobench-crosscheck-{}", process::id()));
        let result = measure_apart(&home);
        let removed = fs::remove_dir_all(&home);
        result?;
        Ok(removed?)
    })
}
