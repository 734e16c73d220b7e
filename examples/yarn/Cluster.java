import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/** A YARN of two node managers in one process; its yarn-site.xml goes into the given directory. */
public class Cluster {
  public static void main(String[] arguments) throws Exception {
    YarnConfiguration conf = new YarnConfiguration();
    conf.set(
        "yarn.resourcemanager.scheduler.class",
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler");
    conf.setInt("yarn.scheduler.minimum-allocation-mb", 128);
    conf.setBoolean("yarn.nodemanager.pmem-check-enabled", false);
    conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    // A disk that is nearly full is no reason to refuse an example.
    conf.setFloat(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", 99.9f);
    MiniYARNCluster cluster = new MiniYARNCluster("example", 2, 1, 1);
    cluster.init(conf);
    cluster.start();
    Path directory = Path.of(arguments[0]);
    Path part = directory.resolve("part");
    try (OutputStream out = Files.newOutputStream(part)) {
      cluster.getConfig().writeXml(out);
    }
    Files.move(part, directory.resolve("yarn-site.xml"));
    Thread.currentThread().join();
  }
}
