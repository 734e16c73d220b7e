/* Copyright the Penstock authors. SPDX-License-Identifier: Apache-2.0 */
package io.penstock.emulator.s3;

import io.penstock.core.store.ObjectStore;
import io.penstock.core.store.StoreException;
import io.penstock.core.store.keys.KeyLimits;
import io.penstock.core.store.memory.InMemoryStore;
import io.penstock.core.time.Time;
import io.penstock.emulator.api.Addressing;
import io.penstock.emulator.api.AnswerXml;
import io.penstock.emulator.api.RequestIds;
import io.penstock.emulator.api.S3Call;
import io.penstock.emulator.api.S3Error;
import io.penstock.emulator.http.BadRequest;
import io.penstock.emulator.http.Handler;
import io.penstock.emulator.http.Headers;
import io.penstock.emulator.http.HttpRequest;
import io.penstock.emulator.http.HttpResponse;
import io.penstock.emulator.http.Payload;
import io.penstock.s3model.S3Operation;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers requests as S3 does, or another store that speaks S3. */
final class S3Handler implements Handler {
  private static final Logger LOG = LoggerFactory.getLogger(S3Handler.class);
  private static final Set<S3Operation> WRITES =
      EnumSet.of(
          S3Operation.DELETE_BUCKET,
          S3Operation.PUT_BUCKET_VERSIONING,
          S3Operation.DELETE_OBJECTS,
          S3Operation.PUT_OBJECT,
          S3Operation.COPY_OBJECT,
          S3Operation.DELETE_OBJECT,
          S3Operation.CREATE_MULTIPART_UPLOAD,
          S3Operation.UPLOAD_PART,
          S3Operation.UPLOAD_PART_COPY,
          S3Operation.COMPLETE_MULTIPART_UPLOAD,
          S3Operation.ABORT_MULTIPART_UPLOAD);

  private final Buckets buckets;
  private final RequestAuthenticator gatekeeper;
  private final Addressing addressing;
  private final String region;
  private final Time time;
  private final RequestIds ids;
  private final Dialect dialect;
  private final ObjectCalls objects;
  private final UploadCalls uploads;
  private final ListCalls lists = new ListCalls();

  S3Handler(
      Buckets buckets,
      RequestAuthenticator gatekeeper,
      Addressing addressing,
      String region,
      Time time,
      RequestIds ids,
      Dialect dialect) {
    this.dialect = dialect;
    this.buckets = buckets;
    this.gatekeeper = gatekeeper;
    this.addressing = addressing;
    this.region = region;
    this.time = time;
    this.ids = ids;
    this.objects = new ObjectCalls(time, dialect);
    this.uploads = new UploadCalls(time, dialect);
  }

  @Override
  public HttpResponse handle(HttpRequest request) throws IOException {
    String id = ids.next();
    S3Call call = S3Call.of(request, addressing);
    HttpResponse response;
    try {
      response = answer(call, request);
    } catch (S3Failure e) {
      response = error(e.error(), request, id);
    } catch (StoreException e) {
      LOG.debug("{} of {} failed", id, call, e);
      response = error(StoreErrors.of(e, call), request, id);
    } catch (BadRequest | EOFException | SocketException | SocketTimeoutException e) {
      throw e; // the client's connection broke
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} {} failed inside the endpoint", call.operation().apiName(), call.key(), e);
      response = error(S3Error.internalError(), request, id);
    }
    response.headers().set("x-amz-request-id", id).set("Server", "PenstockS3");
    response
        .headers()
        .set(
            "Date",
            DateTimeFormatter.RFC_1123_DATE_TIME.format(time.now().atOffset(ZoneOffset.UTC)));
    return response;
  }

  private HttpResponse error(S3Error error, HttpRequest request, String id) {
    int mark = request.target().indexOf('?');
    String path = mark < 0 ? request.target() : request.target().substring(0, mark);
    HttpResponse response = error.toResponse(path, id);
    if (error.code().equals("AuthorizationHeaderMalformed")) {
      response.headers().set("x-amz-bucket-region", region);
    }
    if (error.status() == 416) {
      String size = error.elements().getOrDefault("ActualObjectSize", "*");
      response.headers().set("Content-Range", "bytes */" + size);
    }
    return response;
  }

  private HttpResponse answer(S3Call call, HttpRequest request) throws IOException {
    if (!call.isValid()) {
      throw new S3Failure(400, "InvalidURI", "Couldn't parse the specified URI.");
    }
    gatekeeper.check(request, call);
    if (call.operation() == S3Operation.LIST_BUCKETS) {
      return lists.buckets(buckets);
    }
    if (call.operation() == S3Operation.CREATE_BUCKET) {
      buckets.create(call.bucket());
      return HttpResponse.of(
          200, new Headers().add("Location", "/" + call.bucket()), Payload.empty());
    }
    if (call.operation() == S3Operation.OTHER) {
      throw S3Failure.notImplemented(request.method() + " with this path and query");
    }
    Buckets.Bucket bucket = buckets.get(call.bucket());
    if (bucket.isReadOnly() && WRITES.contains(call.operation())) {
      throw new S3Failure(403, "AccessDenied", "Access Denied");
    }
    if (!call.key().isEmpty() && !KeyLimits.canExist(call.key())) {
      throw new S3Failure(400, "KeyTooLongError", "Your key is too long");
    }
    dialect.refuse(call, request.headers());
    HttpRequest understood = dialect.understood(request, call);
    return dialect.spoken(answer(new BucketRequest(call, understood, bucket, buckets)));
  }

  private HttpResponse answer(BucketRequest target) throws IOException {
    return switch (target.call().operation()) {
      case HEAD_BUCKET ->
          HttpResponse.of(200, new Headers().add("x-amz-bucket-region", region), Payload.empty());
      case DELETE_BUCKET -> {
        buckets.delete(target.call().bucket());
        yield HttpResponse.of(204, new Headers(), Payload.empty());
      }
      case GET_BUCKET_LOCATION -> location();
      case GET_BUCKET_VERSIONING -> versioning(target.store());
      case PUT_BUCKET_VERSIONING -> keepVersions(target);
      case LIST_OBJECTS -> lists.objects(target);
      case LIST_OBJECTS_V2 -> lists.objectsV2(target);
      case LIST_OBJECT_VERSIONS -> lists.versions(target);
      case LIST_MULTIPART_UPLOADS -> lists.uploads(target);
      case DELETE_OBJECTS -> objects.deleteAll(target);
      case GET_OBJECT -> objects.get(target);
      case HEAD_OBJECT -> objects.head(target);
      case PUT_OBJECT -> objects.put(target);
      case COPY_OBJECT -> objects.copy(target);
      case DELETE_OBJECT -> objects.delete(target);
      case CREATE_MULTIPART_UPLOAD -> uploads.create(target);
      case UPLOAD_PART -> uploads.uploadPart(target);
      case UPLOAD_PART_COPY -> uploads.copyPart(target);
      case COMPLETE_MULTIPART_UPLOAD -> uploads.complete(target);
      case ABORT_MULTIPART_UPLOAD -> uploads.abort(target);
      case LIST_PARTS -> uploads.listParts(target);
      case LIST_BUCKETS, CREATE_BUCKET, OTHER ->
          throw new IllegalStateException("answered before: " + target.call().operation());
    };
  }

  private static HttpResponse versioning(ObjectStore store) {
    AnswerXml xml = AnswerXml.of("VersioningConfiguration");
    boolean isOn = store instanceof InMemoryStore memory && memory.keepsVersions();
    return (isOn ? xml.add("Status", "Enabled") : xml).response();
  }

  private static HttpResponse keepVersions(BucketRequest target) throws IOException {
    String wanted =
        XmlRows.parse(BodyReceiver.xml(target.request()), "VersioningConfiguration", "-")
            .fields()
            .getOrDefault("Status", "");
    if (!wanted.equals("Enabled") || !(target.store() instanceof InMemoryStore memory)) {
      throw S3Failure.notImplemented("to stop keeping versions, or to keep them on disk");
    }
    memory.keepVersions();
    return HttpResponse.of(200, new Headers(), Payload.empty());
  }

  private HttpResponse location() {
    // For historical reasons, S3 reports us-east-1 as the empty location.
    AnswerXml xml = AnswerXml.of("LocationConstraint");
    return (region.equals("us-east-1") ? xml : xml.text(region)).response();
  }
}
