// A server of C with libmicrohttpd, for `npm run test:servers`: cc main.c -lmicrohttpd
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIMIT 5000000
static const char *refused = "{\"ok\":false,\"error\":\"refused\"}";
static const char *unknown = "{\"ok\":false,\"error\":\"unknown_method\"}";
static int count, busy;

struct upload {
    struct MHD_PostProcessor *parser;
    char name[2000], type[200], comment[20000], channels[2000], path[100];
    int ts;
    size_t size;
    FILE *file;
};

static void add(char *to, size_t room, const char *data, size_t size, uint64_t offset) {
    if (offset + size < room) memcpy(to + offset, data, size);
}

static enum MHD_Result part(void *given, enum MHD_ValueKind kind, const char *key, const char *name,
                            const char *type, const char *encoding, const char *data, uint64_t offset,
                            size_t size) {
    struct upload *to = given;
    if (!strcmp(key, "initial_comment")) add(to->comment, sizeof to->comment, data, size, offset);
    if (!strcmp(key, "channels")) add(to->channels, sizeof to->channels, data, size, offset);
    if (strcmp(key, "file") || !name) return MHD_YES;
    if (!to->file) {
        snprintf(to->name, sizeof to->name, "%s", name);
        snprintf(to->type, sizeof to->type, "%s", type ? type : "");
        to->ts = ++count;
        snprintf(to->path, sizeof to->path, "uploads/%d", to->ts);
        to->file = fopen(to->path, "wb");
    }
    to->size += fwrite(data, 1, size, to->file);
    return MHD_YES;
}

static void print_quoted(const char *text) {
    putchar('"');
    for (; *text; text++) {
        if (*text == '\n') printf("\\n");
        else if (*text == '\r') printf("\\r");
        else if (*text == '"' || *text == '\\') printf("\\%c", *text);
        else putchar(*text);
    }
    putchar('"');
}

// Says what is stored. Returns the status of the response.
static int receive(struct upload *form) {
    if (!form->file) return 400;
    fclose(form->file);
    int is_busy = !strcmp(form->comment, "busy") && !busy;
    if (is_busy) busy = 1;
    if (form->size > LIMIT || is_busy) {
        remove(form->path);
        return is_busy ? 429 : 413;
    }
    printf("{\"ts\":\"%d\",\"name\":", form->ts);
    print_quoted(form->name);
    printf(",\"type\":");
    print_quoted(form->type);
    printf(",\"comment\":");
    print_quoted(form->comment);
    printf(",\"channels\":[");
    for (char *one = strtok(form->channels, ","); one; one = strtok(NULL, ",")) {
        print_quoted(one);
        if (*(one + strlen(one) + 1)) putchar(',');
    }
    puts("]}");
    fflush(stdout);
    if (!strcmp(form->comment, "exit")) _exit(1);
    return 200;
}

static enum MHD_Result handle(void *given, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data, size_t *size,
                              void **state) {
    struct upload *form = *state;
    if (!form) {
        form = *state = calloc(1, sizeof *form);
        const char *header = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Authorization");
        char expected[1000];
        snprintf(expected, sizeof expected, "Bearer %s", getenv("TOKEN"));
        if (!strcmp(url, "/api/files.upload") && header && !strcmp(header, expected))
            form->parser = MHD_create_post_processor(connection, 4096, part, form);
        else form->ts = strcmp(url, "/api/files.upload") ? -404 : -401;
        return MHD_YES;
    }
    if (*size) {
        if (form->parser) MHD_post_process(form->parser, data, *size);
        *size = 0;
        return MHD_YES;
    }
    if (form->parser) MHD_destroy_post_processor(form->parser);
    int status = form->ts < 0 ? -form->ts : receive(form);
    const char *body = status == 200 ? "{\"ok\":true}" : status == 404 ? unknown : refused;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(body), (void *)body, MHD_RESPMEM_PERSISTENT);
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

int main(void) {
    if (!MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, atoi(getenv("PORT")), NULL, NULL, handle, NULL,
                          MHD_OPTION_END))
        return 1;
    pause();
}
