# syntax=docker/dockerfile:1
# Apache Spark with Penstock: the jar among Spark's own, and the settings that switch it on.
# The context is the directory of a release, or dist/target of a clone after ./penstock jar:
#
#   docker build -f spark.Dockerfile -t spark-penstock:4.1.1 .                          # in a release
#   docker build -f deploy/docker/spark.Dockerfile -t spark-penstock:4.1.1 dist/target  # in a clone
#
# On Kubernetes, a driver in cluster mode reads the submitter's spark-defaults.conf instead of the
# image's: set spark.plugins there (deploy/kubernetes).
ARG SPARK_IMAGE=apache/spark:4.1.1-scala2.13-java21-python3-ubuntu
FROM ${SPARK_IMAGE}
USER root
RUN --mount=type=bind,target=/release java -jar /release/penstock-cli*.jar install /opt/spark --jar "$(ls /release/penstock-spark*.jar | head -n 1)" --write
USER spark
