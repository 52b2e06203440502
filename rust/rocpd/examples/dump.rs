use rocpd::reader::*;
fn main() {
    let p = std::env::args().nth(1).unwrap();
    let r = Reader::open(std::path::Path::new(&p)).unwrap();
    println!("{:?} {:?}", r.time_range(), r.warnings());
    for t in r.tracks() {
        println!(
            "{:?} {:?} {:?} n={:?} p={:?} t={:?} a={:?} q={:?} s={:?} pmc={:?} cnt={} odd={} {:?}..{:?} d={} v={:?}",
            t.id,
            t.kind,
            t.name,
            t.node_row,
            t.pid,
            t.tid,
            t.agent,
            t.queue_row,
            t.stream_row,
            t.pmc_row,
            t.count,
            t.odd_times,
            t.first,
            t.last,
            t.depth,
            t.values
        );
        for e in r.events(t.id).unwrap().iter().take(3) {
            println!("    {e:?}");
        }
        for e in r.samples(t.id).unwrap().iter().take(3) {
            println!("    {e:?}");
        }
    }
}
