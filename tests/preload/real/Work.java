import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;
import java.util.zip.CRC32;

/** Threads, memory outside the Java heap, collections, streams. */
public class Work {
  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<Future<Long>> sums = new ArrayList<>();
    for (int i = 1; i <= 20; ++i) {
      final int seed = i;
      sums.add(pool.submit(() -> {
        ByteBuffer direct = ByteBuffer.allocateDirect(seed * 10000);
        while (direct.remaining() >= 4) direct.putInt(direct.position() * seed);
        direct.flip();
        CRC32 crc = new CRC32();
        crc.update(direct);
        return crc.getValue();
      }));
    }
    for (Future<Long> sum : sums) System.out.println(sum.get());
    pool.shutdown();
    Map<Integer, List<String>> byLength = IntStream.range(0, 100000)
        .mapToObj(i -> "s" + i * 7)
        .collect(Collectors.groupingBy(String::length, TreeMap::new, Collectors.toList()));
    byLength.forEach((length, list) -> System.out.println(length + " " + list.size()));
  }
}
