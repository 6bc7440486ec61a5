//! How long reading, looking up, checking and editing take, by the number of hosts.
//! `cargo bench -p dhcpd-conf`; against `dhcpd -t`, process against process:
//! `cargo run --release -p dhcpd-conf --example speed`.

#![expect(clippy::unwrap_used, reason = "the configurations are known to parse")]

mod configurations;

use std::hint::black_box;

use configurations::{Kind, configuration};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dhcpd_conf::{Document, Edit, Layout};

/// Lossless tree, and the hosts with all they are looked up by.
fn read(c: &mut Criterion) {
    for kind in Kind::ALL {
        let mut group = c.benchmark_group(format!("read/{}", kind.name()));
        group.sample_size(10);
        for count in [1_000, 10_000, 100_000] {
            let source = configuration(kind, count);
            group.throughput(Throughput::Bytes(u64::try_from(source.len()).unwrap()));
            group.bench_with_input(BenchmarkId::new("parse", count), &source, |b, source| {
                b.iter(|| Document::parse(source.as_str()).unwrap());
            });
            group.bench_with_input(BenchmarkId::new("index", count), &source, |b, source| {
                b.iter(|| {
                    let document = Document::parse(source.as_str()).unwrap();
                    document.hosts_named("n1").count()
                });
            });
        }
        group.finish();
    }
}

/// 10,000 look-ups each by name, hardware and address: at most 12 times as long for 20,000 hosts as
/// for 2,000, building the index included.
fn look_up(c: &mut Criterion) {
    let mut group = c.benchmark_group("look up 10,000 of");
    group.sample_size(10);
    for count in [2_000_usize, 20_000] {
        let source = configuration(Kind::Plain, count);
        group.bench_with_input(BenchmarkId::from_parameter(count), &source, |b, source| {
            b.iter(|| {
                let document = Document::parse(source.as_str()).unwrap();
                let mut found = 0;
                for index in (0..10_000).map(|step| step * count / 10_000) {
                    let [.., high, middle, low] = u32::try_from(index).unwrap().to_be_bytes();
                    found += document.hosts_named(&format!("n{index}")).count();
                    found +=
                        document.hosts_with_hardware(&[2, 0xbb, 0xcc, high, middle, low]).count();
                    found += document.hosts_with_address([10, high, middle, low].into()).count();
                }
                assert_eq!(found, 30_000);
            });
        });
    }
    group.finish();
}

fn check_and_change(c: &mut Criterion) {
    let source = configuration(Kind::Groups, 10_000);
    let document = Document::parse(source).unwrap();
    let mut group = c.benchmark_group("10,000 hosts");
    group.sample_size(10);
    group.bench_function("lint", |b| b.iter(|| black_box(document.lint())));
    group.bench_function("layout", |b| b.iter(|| Layout::default().apply(&document).unwrap()));
    group.bench_function("remove one host", |b| {
        b.iter(|| {
            let host = document.hosts_named("n5000").next().unwrap();
            Edit::new(&document).remove_host(host).finish().unwrap()
        });
    });
    group.finish();
}

criterion_group!(benches, read, look_up, check_and_change);
criterion_main!(benches);
