import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Submits a job to usher over HTTP and waits for its end. Needs Java 11 and no library.
 *
 * <pre>USHER_URL=http://127.0.0.1:8460 USHER_TOKEN=… java Publish.java segment.add job.json</pre>
 *
 * The job needs an id, so that it can be sent again: the same job has no effect twice.
 */
public final class Publish {
    private static final int ATTEMPTS = 8;
    private static final Set<Integer> AGAIN = Set.of(408, 429, 500, 502, 503, 504);
    private static final HttpClient CLIENT = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    public static void main(String[] args) throws Exception {
        if (args.length != 2) {
            System.err.println("usage: Publish KIND FILE");
            System.exit(2);
        }
        String job = text(call("POST", "/v1/jobs/" + args[0], Files.readString(Path.of(args[1]))), "id");
        while (true) {
            String record = call("GET", "/v1/jobs/" + job, null);
            String state = text(record, "state");
            if (state.equals("done")) {
                System.out.println(job + " done: " + number(record, "accepted") + " of " + number(record, "read") + " rows accepted");
                return;
            }
            if (state.equals("failed") || state.equals("cancelled")) {
                fail(job + " " + state + ": " + text(record, "class") + ": " + text(record, "message"));
            }
            Thread.sleep(1000);
        }
    }

    /** Returns the body of a response. Repeats a request that usher cannot take now. */
    private static String call(String method, String path, String body) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("USHER_URL") + path))
                .timeout(Duration.ofMinutes(1))
                .header("Authorization", "Bearer " + System.getenv("USHER_TOKEN"))
                .header("Content-Type", "application/json")
                .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .build();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long wait = Math.min(1L << attempt, 60);
            try {
                HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
                if (response.statusCode() / 100 == 2) {
                    return response.body();
                }
                if (!AGAIN.contains(response.statusCode())) {
                    fail(response.statusCode() + " " + response.body()); // problem details, RFC 9457
                }
                wait = response.headers().firstValueAsLong("Retry-After").orElse(wait);
            } catch (IOException e) {
                System.err.println("no answer, trying again: " + e);
            }
            // A random part, so that publishers do not all come back at once.
            Thread.sleep(wait * 1000 + ThreadLocalRandom.current().nextInt(1000));
        }
        fail(method + " " + path + ": no answer after " + ATTEMPTS + " attempts");
        return null;
    }

    /**
     * Returns the first text field of this name. Use the JSON library of your program instead; this
     * example has none.
     */
    private static String text(String json, String field) {
        Matcher found = Pattern.compile("\"" + field + "\":\\s*\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(json);
        return found.find() ? found.group(1) : "";
    }

    /** Returns the first number of this name. */
    private static String number(String json, String field) {
        Matcher found = Pattern.compile("\"" + field + "\":\\s*([0-9]+)").matcher(json);
        return found.find() ? found.group(1) : "0";
    }

    private static void fail(String message) {
        System.err.println(message);
        System.exit(1);
    }
}
