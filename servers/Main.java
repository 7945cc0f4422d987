// Servers of Java, for `npm run test:servers`: java -cp … Main spring
import io.javalin.Javalin;
import io.javalin.config.SizeUnit;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import tools.jackson.databind.json.JsonMapper;

public class Main {
    static final String PORT = System.getenv("PORT"), PATH = "/api/files.upload";
    static final Map<String, Object> REFUSED = Map.of("ok", false, "error", "refused");
    static final JsonMapper JSON = new JsonMapper();
    static boolean busy = false;

    record Answer(int status, Map<String, Object> body) {}

    static boolean isAllowed(String header) {
        return ("Bearer " + System.getenv("TOKEN")).equals(header);
    }

    /** Stores a file. */
    static Answer receive(String comment, String channels, String name, String type, byte[] bytes)
            throws Exception {
        if (name == null) return new Answer(400, REFUSED);
        if (comment.equals("busy") && !busy) {
            busy = true;
            return new Answer(429, REFUSED);
        }
        var ts = UUID.randomUUID().toString();
        Files.write(Path.of("uploads", ts), bytes);
        var to = List.of(channels.split(","));
        var stored = Map.of("ts", ts, "name", name, "type", type, "comment", comment, "channels", to);
        System.out.println(JSON.writeValueAsString(stored));
        if (comment.equals("exit")) Runtime.getRuntime().halt(1);
        return new Answer(200, Map.of("ok", true));
    }

    @EnableAutoConfiguration
    @RestController
    public static class Spring {
        @Bean
        Filter authorization() {
            return (request, response, chain) -> {
                var header = ((HttpServletRequest) request).getHeader("Authorization");
                if (isAllowed(header)) chain.doFilter(request, response);
                else ((HttpServletResponse) response).sendError(401);
            };
        }

        @PostMapping(PATH)
        ResponseEntity<?> upload(
                @RequestParam(name = "file", required = false) MultipartFile file,
                @RequestParam(name = "channels", defaultValue = "") String channels,
                @RequestParam(name = "initial_comment", defaultValue = "") String comment)
                throws Exception {
            var answer = file == null
                    ? new Answer(400, REFUSED)
                    : receive(comment, channels, file.getOriginalFilename(),
                            file.getContentType(), file.getBytes());
            return ResponseEntity.status(answer.status()).body(answer.body());
        }
    }

    static void javalin() {
        Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.jetty.multipartConfig.maxFileSize(5, SizeUnit.MB);
            config.routes.post(PATH, context -> {
                var answer = new Answer(401, REFUSED);
                if (isAllowed(context.header("Authorization"))) {
                    var file = context.uploadedFile("file");
                    var comment = context.formParam("initial_comment");
                    answer = file == null
                            ? new Answer(400, REFUSED)
                            : receive(comment == null ? "" : comment, context.formParam("channels"),
                                    file.filename(), file.contentType(),
                                    file.content().readAllBytes());
                }
                context.status(answer.status()).contentType("application/json")
                        .result(JSON.writeValueAsString(answer.body()));
            });
        }).start("127.0.0.1", Integer.parseInt(PORT));
    }

    public static void main(String[] args) {
        new java.io.File("uploads").mkdir();
        if (args[0].equals("javalin")) javalin();
        else SpringApplication.run(Spring.class, "--server.port=" + PORT,
                "--server.address=127.0.0.1", "--spring.servlet.multipart.max-file-size=5MB",
                "--spring.servlet.multipart.max-request-size=100MB",
                // Tomcat's default of 512 bytes is too small for a name of 150 Japanese letters.
                "--server.tomcat.max-part-header-size=2KB");
    }
}
