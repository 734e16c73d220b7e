# syntax=docker/dockerfile:1
# Penstock's commands on a plain JRE, such as for a job that analyses logs every night. The context
# is the directory of a release, or dist/target of a clone after ./penstock jar:
#
#   docker build -f tools.Dockerfile -t penstock .                          # in a release
#   docker build -f deploy/docker/tools.Dockerfile -t penstock dist/target  # in a clone
#   docker run --rm -v "$PWD/logs:/logs:ro" penstock analyze /logs
ARG JRE_IMAGE=eclipse-temurin:21-jre
FROM ${JRE_IMAGE}
COPY penstock-cli*.jar /opt/penstock/penstock-cli.jar
COPY penstock-spark*.jar /opt/penstock/penstock-spark.jar
RUN java -cp /opt/penstock/penstock-cli.jar io.penstock.cli.start.FastStart /opt/penstock/start
RUN java @/opt/penstock/start/args/default io.penstock.cli.Main --version
USER 1000:1000
WORKDIR /tmp
ENTRYPOINT ["java", "@/opt/penstock/start/args/default", "io.penstock.cli.Main"]
CMD ["--help"]
