// Servers of Go, for `npm run test:servers`: go run . gin
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/gofiber/fiber/v3"
)

const limit = 5_000_000
const path = "/api/files.upload"

type object map[string]any

var refused = object{"ok": false, "error": "refused"}
var busy = false

func allowed(header string) bool { return header == "Bearer "+os.Getenv("TOKEN") }

// Stores a file. Returns the status and the JSON of the response.
func receive(comment, channels string, file *multipart.FileHeader) (int, object) {
	if file == nil {
		return 400, refused
	}
	if comment == "busy" && !busy {
		busy = true
		return 429, refused
	}
	opened, err := file.Open()
	if err != nil {
		return 500, refused
	}
	content, _ := io.ReadAll(opened)
	ts := fmt.Sprint(time.Now().UnixNano())
	if os.WriteFile("uploads/"+ts, content, 0o600) != nil {
		return 500, refused
	}
	json.NewEncoder(os.Stdout).Encode(object{"ts": ts, "name": file.Filename, "comment": comment,
		"type": file.Header.Get("Content-Type"), "channels": strings.Split(channels, ",")})
	if comment == "exit" {
		os.Exit(1)
	}
	return 200, object{"ok": true}
}

func runGin(address string) error {
	app := gin.New()
	app.POST(path, func(c *gin.Context) {
		if !allowed(c.GetHeader("Authorization")) {
			c.JSON(401, refused)
			return
		}
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, limit)
		file, err := c.FormFile("file")
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			c.JSON(413, refused)
			return
		}
		c.JSON(receive(c.PostForm("initial_comment"), c.PostForm("channels"), file))
	})
	return app.Run(address)
}

func runFiber(address string) error {
	app := fiber.New(fiber.Config{BodyLimit: limit})
	app.Post(path, func(c fiber.Ctx) error {
		if !allowed(c.Get("Authorization")) {
			return c.Status(401).JSON(refused)
		}
		file, _ := c.FormFile("file")
		status, body := receive(c.FormValue("initial_comment"), c.FormValue("channels"), file)
		return c.Status(status).JSON(body)
	})
	return app.Listen(address, fiber.ListenConfig{DisableStartupMessage: true})
}

func main() {
	os.Mkdir("uploads", 0o700)
	gin.SetMode(gin.ReleaseMode)
	run := map[string]func(string) error{"gin": runGin, "fiber": runFiber}[os.Args[1]]
	fmt.Fprintln(os.Stderr, run("127.0.0.1:"+os.Getenv("PORT")))
}
