#!/usr/bin/perl
# Servers of Perl, for `npm run test:servers`: perl perl.pl mojolicious
use strict;
use warnings;
use Encode 'decode_utf8';
use JSON::PP ();

my ($limit, $path) = (5_000_000, '/api/files.upload');
my $refused = { ok => JSON::PP::false, error => 'refused' };
my $unknown = { ok => JSON::PP::false, error => 'unknown_method' };

sub allowed { ($_[0] // '') eq "Bearer $ENV{TOKEN}" }

# Stores a file. Returns the status and the content of the response.
sub receive {
    my ($comment, $channels, $name, $type, $bytes) = @_;
    return (400, $refused) unless length($name // '');
    $comment //= '';
    # A CGI script starts anew for each request.
    if ($comment eq 'busy' && !-e 'busy') {
        open my $file, '>', 'busy';
        return (429, $refused);
    }
    die 'no disk' if $comment eq 'throw';
    my $ts = "$$." . int(rand(1e9));
    open my $file, '>:raw', "uploads/$ts";
    print $file $bytes;
    close $file;
    open my $out, $ENV{PRINTED} ? '>>' : '>&', $ENV{PRINTED} // *STDOUT;
    print $out JSON::PP->new->utf8->encode({ ts => $ts, name => $name, type => $type,
        comment => $comment, channels => [split /,/, $channels] }), "\n";
    close $out;
    kill KILL => $$ if $comment eq 'exit';
    return (200, { ok => JSON::PP::true });
}

sub content { local $/; my ($file) = @_; binmode $file; return scalar <$file> // '' }

my %servers = (
    mojolicious => sub {
        require Mojolicious;
        my $app = Mojolicious->new;
        $app->log->level('fatal');
        $app->max_request_size($limit);
        $app->routes->post($path => sub {
            my $c = shift;
            my $file = $c->req->upload('file');
            my ($status, $body) =
                !allowed($c->req->headers->authorization) ? (401, $refused)
                : $c->req->is_limit_exceeded ? (413, $refused)
                : receive($c->param('initial_comment'), $c->param('channels'),
                    $file && ($file->filename, $file->headers->content_type, $file->slurp));
            $c->render(json => $body, status => $status);
        });
        require Mojo::Server::Daemon;
        Mojo::Server::Daemon->new(app => $app, listen => ["http://127.0.0.1:$ENV{PORT}"])->run;
    },
    plack => sub {
        require Plack::Loader;
        require Plack::Request;
        Plack::Loader->load('Starman', host => '127.0.0.1', port => $ENV{PORT}, workers => 1)->run(sub {
            my $request = Plack::Request->new(shift);
            my $file = $request->path eq $path && $request->upload('file');
            my $fields = $request->body_parameters;
            my ($status, $body) =
                $request->path ne $path ? (404, $unknown)
                : !allowed($request->header('Authorization')) ? (401, $refused)
                : $file && $file->size > $limit ? (413, $refused)
                : receive((map { decode_utf8($_ // '') } $fields->{initial_comment}, $fields->{channels}),
                    $file && (decode_utf8($file->filename), $file->content_type, content($file->path ? do { open my $f, '<', $file->path; $f } : ())));
            return [$status, ['Content-Type' => 'application/json'], [JSON::PP::encode_json($body)]];
        });
    },
    dancer => sub {
        require Plack::Loader;
        Plack::Loader->load('Standalone', host => '127.0.0.1', port => $ENV{PORT})->run(eval q{
            package Upload;
            use Dancer2;
            set logger => 'null';
            post $path => sub {
                my $file = upload('file');
                my ($code, $body) =
                    !main::allowed(request->header('Authorization')) ? (401, $refused)
                    : $file && $file->size > $limit ? (413, $refused)
                    : main::receive(body_parameters->get('initial_comment'), body_parameters->get('channels'),
                        $file && ($file->filename, $file->type, $file->content));
                status $code;
                response_header 'Content-Type' => 'application/json';
                return JSON::PP::encode_json($body);
            };
            to_app;
        } || die $@);
    },
    cgi => sub {
        require CGI;
        my $length = $ENV{CONTENT_LENGTH};
        my ($status, $body) = (413, $refused);
        if ($length > $limit) {
            # Apache loses the response of a script that leaves its input unread.
            1 while read STDIN, my $part, 65_536;
        } else {
            my $q = CGI->new;
            my $file = $q->upload('file');
            ($status, $body) =
                $ENV{REQUEST_URI} ne $path ? (404, $unknown)
                : !allowed($ENV{HTTP_AUTHORIZATION}) ? (401, $refused)
                : receive((map { decode_utf8($_ // '') } scalar $q->param('initial_comment'), scalar $q->param('channels')),
                    $file && (decode_utf8("$file"), $q->uploadInfo($file)->{'Content-Type'}, content($file)));
        }
        print "Status: $status\nContent-Type: application/json\n\n", JSON::PP::encode_json($body);
    },
);
$servers{ $ARGV[0] // 'cgi' }->();
