<?php
// A server of PHP, for `npm run test:servers`: php -S 127.0.0.1:8065 upload.php
function respond(int $status, array $body): never {
    http_response_code($status);
    header('Content-Type: application/json');
    exit(json_encode($body));
}
$refused = ['ok' => false, 'error' => 'refused'];
$token = 'Bearer ' . getenv('TOKEN');
if ($_SERVER['REQUEST_URI'] !== '/api/files.upload') respond(404, ['ok' => false, 'error' => 'unknown_method']);
if (($_SERVER['HTTP_AUTHORIZATION'] ?? '') !== $token) respond(401, $refused);
$file = $_FILES['file'] ?? ['error' => UPLOAD_ERR_NO_FILE];
if ($file['error'] === UPLOAD_ERR_INI_SIZE) respond(413, $refused);
if ($file['error'] !== UPLOAD_ERR_OK) respond(400, $refused);
$comment = $_POST['initial_comment'] ?? '';
// Each request starts this script anew.
if ($comment === 'busy' && !file_exists('busy')) {
    touch('busy');
    respond(429, $refused);
}
if ($comment === 'throw') throw new Exception('no disk');
$ts = uniqid('', true);
move_uploaded_file($file['tmp_name'], "uploads/$ts");
$channels = explode(',', $_POST['channels']);
$stored = ['ts' => $ts, 'name' => $file['name'], 'type' => $file['type'], 'comment' => $comment];
$line = json_encode([...$stored, 'channels' => $channels]) . "\n";
file_put_contents(getenv('PRINTED') ?: 'php://stdout', $line, FILE_APPEND);
if ($comment === 'exit') posix_kill(getmypid(), SIGKILL);
respond(200, ['ok' => true]);
