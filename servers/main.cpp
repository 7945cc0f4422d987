// A server of C++ with cpp-httplib, for `npm run test:servers`: g++ main.cpp
#include <httplib.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>

const std::string refused = R"({"ok":false,"error":"refused"})";
std::atomic<int> count{0};
std::atomic<bool> busy{false};

std::string in_quotes(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '\n') out += "\\n";
        else if (c == '\r') out += "\\r";
        else if (c == '"' || c == '\\') out += std::string("\\") + c;
        else out += c;
    }
    return out + "\"";
}

// Stores a file. Returns the status and the JSON of the response.
std::pair<int, std::string> receive(const httplib::Request& request) {
    auto token = std::getenv("TOKEN");
    if (request.get_header_value("Authorization") != std::string("Bearer ") + token) return {401, refused};
    if (!request.has_file("file") || request.get_file_value("file").filename.empty()) return {400, refused};
    auto file = request.get_file_value("file");
    auto comment = request.get_file_value("initial_comment").content;
    if (comment == "busy" && !busy.exchange(true)) return {429, refused};
    if (comment == "throw") throw std::runtime_error("no disk");
    auto ts = std::to_string(count++);
    std::ofstream("uploads/" + ts, std::ios::binary) << file.content;
    std::string channels = in_quotes(request.get_file_value("channels").content);
    for (size_t at; (at = channels.find(',')) != std::string::npos;) channels.replace(at, 1, "\"\v\"");
    for (auto& c : channels) if (c == '\v') c = ',';
    std::cout << "{\"ts\":" << in_quotes(ts) << ",\"name\":" << in_quotes(file.filename) << ",\"type\":"
              << in_quotes(file.content_type) << ",\"comment\":" << in_quotes(comment) << ",\"channels\":["
              << channels << "]}" << std::endl;
    if (comment == "exit") std::_Exit(1);
    return {200, R"({"ok":true})"};
}

int main() {
    httplib::Server server;
    server.set_payload_max_length(5'000'000);
    server.Post("/api/files.upload", [](const httplib::Request& request, httplib::Response& response) {
        auto [status, body] = receive(request);
        response.status = status;
        response.set_content(body, "application/json");
    });
    server.listen("127.0.0.1", std::atoi(std::getenv("PORT")));
}
