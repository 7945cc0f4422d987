// Servers of Rust, for `npm run test:servers`: cargo run -- axum
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};

const LIMIT: usize = 5_000_000;
const PATH: &str = "/api/files.upload";
static BUSY: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicU32 = AtomicU32::new(0);

#[derive(Default)]
struct Form {
    comment: String,
    channels: String,
    file: Option<(String, String, Vec<u8>)>,
}

impl Form {
    fn add(&mut self, field: &str, name: Option<&str>, media: &str, bytes: Vec<u8>) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match (field, name) {
            ("initial_comment", _) => self.comment = text,
            ("channels", _) => self.channels = text,
            ("file", Some(name)) => self.file = Some((name.into(), media.into(), bytes)),
            _ => {}
        }
    }
}

fn refused() -> Value {
    json!({ "ok": false, "error": "refused" })
}

fn allowed(header: Option<&str>) -> bool {
    header == Some(&format!("Bearer {}", std::env::var("TOKEN").unwrap()))
}

/// Stores a file. Returns the status and the JSON of the response.
fn receive(form: Form) -> (u16, Value) {
    let Some((name, media, bytes)) = form.file else { return (400, refused()) };
    let comment = form.comment;
    if comment == "busy" && !BUSY.swap(true, SeqCst) {
        return (429, refused());
    }
    let ts = COUNT.fetch_add(1, SeqCst).to_string();
    std::fs::write(format!("uploads/{ts}"), bytes).unwrap();
    let channels: Vec<&str> = form.channels.split(',').collect();
    let stored = json!({ "ts": ts, "name": name, "type": media, "comment": comment, "channels": channels });
    println!("{stored}");
    if comment == "exit" {
        std::process::exit(1);
    }
    (200, json!({ "ok": true }))
}

async fn axum(address: String) {
    use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Request};
    use axum::{Json, Router, http::StatusCode, response::IntoResponse, routing::post};

    async fn read(request: Request) -> Result<(u16, Value), axum::response::Response> {
        let header = request.headers().get("authorization").and_then(|value| value.to_str().ok());
        if !allowed(header) {
            return Ok((401, refused()));
        }
        let mut parts =
            Multipart::from_request(request, &()).await.map_err(IntoResponse::into_response)?;
        let mut form = Form::default();
        while let Some(part) = parts.next_field().await.map_err(IntoResponse::into_response)? {
            let field = part.name().unwrap_or_default().to_owned();
            let name = part.file_name().map(str::to_owned);
            let media = part.content_type().unwrap_or_default().to_owned();
            let bytes = part.bytes().await.map_err(IntoResponse::into_response)?;
            form.add(&field, name.as_deref(), &media, bytes.to_vec());
        }
        Ok(receive(form))
    }
    async fn upload(request: Request) -> axum::response::Response {
        match read(request).await {
            Ok((status, body)) => (StatusCode::from_u16(status).unwrap(), Json(body)).into_response(),
            Err(response) => response,
        }
    }
    let app = Router::new().route(PATH, post(upload)).layer(DefaultBodyLimit::max(LIMIT));
    let listener = tokio::net::TcpListener::bind(address).await.unwrap();
    axum::serve(listener, app).await.unwrap();
}

async fn actix(address: String) {
    use actix_multipart::Multipart;
    use actix_web::{App, Error, HttpRequest, HttpResponse, HttpServer, http::StatusCode, web};
    use futures_util::TryStreamExt;

    async fn upload(request: HttpRequest, mut parts: Multipart) -> Result<HttpResponse, Error> {
        let header = request.headers().get("authorization").and_then(|value| value.to_str().ok());
        if !allowed(header) {
            return Ok(HttpResponse::Unauthorized().json(refused()));
        }
        let mut form = Form::default();
        while let Some(mut part) = parts.try_next().await? {
            let mut bytes = Vec::new();
            while let Some(chunk) = part.try_next().await? {
                if bytes.len() + chunk.len() > LIMIT {
                    return Ok(HttpResponse::PayloadTooLarge().json(refused()));
                }
                bytes.extend_from_slice(&chunk);
            }
            let field = part.name().unwrap_or_default().to_owned();
            let name = part.content_disposition().and_then(|value| value.get_filename());
            let media = part.content_type().map(|media| media.to_string()).unwrap_or_default();
            form.add(&field, name, &media, bytes);
        }
        let (status, body) = receive(form);
        Ok(HttpResponse::build(StatusCode::from_u16(status).unwrap()).json(body))
    }
    HttpServer::new(|| App::new().route(PATH, web::post().to(upload)))
        .workers(1)
        .bind(address)
        .unwrap()
        .run()
        .await
        .unwrap();
}

#[actix_web::main]
async fn main() {
    std::fs::create_dir_all("uploads").unwrap();
    let address = format!("127.0.0.1:{}", std::env::var("PORT").unwrap());
    match std::env::args().nth(1).as_deref() {
        Some("axum") => axum(address).await,
        _ => actix(address).await,
    }
}
