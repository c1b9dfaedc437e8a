"""nginx on loopback with TLS for real host names: a certificate authority of the test's own, one good
certificate, and bad ones. Raises harness.Skip where nginx or openssl is missing."""
import os
import shutil
import socket
import subprocess
import time

from harness import Skip

GOOD = ("docs.example.org", "other.example.org", "xn--bcher-kva.example.org", "old.example.org")
CONFIG = """
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 1024; }}
http {{
    types {{ text/plain txt; text/html html; text/markdown md; }}
    default_type application/octet-stream;
    log_format short '$host $request_uri $status $body_bytes_sent $server_protocol '
                     '"$http_if_none_match" "$http_if_modified_since" $connection';
    access_log {folder}/access.log short;
    client_body_temp_path {folder}/tmp-body;
    proxy_temp_path {folder}/tmp-proxy;
    fastcgi_temp_path {folder}/tmp-fastcgi;
    uwsgi_temp_path {folder}/tmp-uwsgi;
    scgi_temp_path {folder}/tmp-scgi;
    gzip on;
    gzip_types text/plain text/markdown;
    gzip_min_length 200;
    keepalive_requests 10000;
    root {folder}/www;
    {extra}
    {servers}
}}
"""
SERVER = """
    server {{
        listen 127.0.0.1:{port} ssl http2 {default};
        server_name {name};
        ssl_certificate {folder}/{pair}.crt;
        ssl_certificate_key {folder}/{pair}.key;
        {locations}
    }}
"""
LOCATIONS = """
        location = /moved { return 301 https://other.example.org/chapter.txt; }
        location = /down { return 302 http://docs.example.org/chapter.txt; }
        location = /signed { return 302 https://other.example.org/chapter.txt?token=s3cret; }
        location = /teapot { return 418; }
        location /no-store/ { alias WWW/; add_header Cache-Control no-store; }
        location /dated/ { alias WWW/; etag off; }
        location /latin/ { alias WWW/; charset iso-8859-1; }
        location /wrong/ { alias WWW/; charset utf-16; }
        location /wide/ { alias WWW/; charset utf-16be; }
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Nginx:
    """start() and stop(); www is the folder it serves, connect_to the options that lead there."""

    def __init__(self, folder, extra="", more_names=(), locations=LOCATIONS):
        if not shutil.which("nginx", path="/usr/sbin:/sbin:" + os.environ.get("PATH", "")):
            raise Skip("nginx is missing (tools/deps test installs it)")
        if not shutil.which("openssl"):
            raise Skip("openssl is missing (tools/deps test installs it)")
        self.folder, self.www = folder, os.path.join(folder, "www")
        self.port, self.plain_port, self.process = free_port(), free_port(), None
        os.makedirs(self.www, exist_ok=True)
        self.names = GOOD + tuple(more_names)
        self.make_certificates()
        self.configure(extra, locations.replace("WWW", self.www))

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def key(self, name):
        self.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", f"{name}.key")

    def signed(self, name, hosts, authority="ca", dates=("-days", "2")):
        self.key(name)
        with open(os.path.join(self.folder, f"{name}.ext"), "w", encoding="ascii") as file:
            file.write("subjectAltName=" + ",".join(f"DNS:{host}" for host in hosts) + "\n")
        self.openssl("req", "-new", "-key", f"{name}.key", "-subj", f"/CN={hosts[0]}", "-out", f"{name}.csr")
        self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{authority}.crt", "-CAkey", f"{authority}.key",
                     "-CAcreateserial", "-extfile", f"{name}.ext", "-out", f"{name}.crt", *dates)

    def make_certificates(self):
        for name in ("ca", "stranger", "self"):
            self.key(name)
            subject = "/CN=self.example.org" if name == "self" else f"/CN=Test {name}"
            self.openssl("req", "-x509", "-new", "-key", f"{name}.key", "-subj", subject, "-days", "2",
                         "-addext", "subjectAltName=DNS:self.example.org", "-out", f"{name}.crt")
        self.signed("good", self.names)
        self.signed("expired", ["expired.example.org"], dates=("-days", "-1"))
        self.signed("wrong", ["another.example.org"])
        self.signed("untrusted", ["untrusted.example.org"], authority="stranger")
        self.cacert = os.path.join(self.folder, "ca.crt")

    def configure(self, extra, locations):
        servers = "".join(
            SERVER.format(port=self.port, name=name, folder=self.folder, pair=pair, locations=locations,
                          default="default_server" if pair == "good" else "")
            for name, pair in ((" ".join(self.names), "good"), ("expired.example.org", "expired"),
                               ("wrong.example.org", "wrong"), ("self.example.org", "self"),
                               ("untrusted.example.org", "untrusted")))
        servers += f"    server {{ listen 127.0.0.1:{self.plain_port}; server_name _; }}\n"
        with open(os.path.join(self.folder, "nginx.conf"), "w", encoding="utf-8") as file:
            file.write(CONFIG.format(folder=self.folder, servers=servers, extra=extra,
                                     user="user root;" if os.getuid() == 0 else ""))

    def __enter__(self):
        program = shutil.which("nginx", path="/usr/sbin:/sbin:" + os.environ.get("PATH", ""))
        self.process = subprocess.Popen([program, "-p", self.folder, "-c", os.path.join(self.folder, "nginx.conf")],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        self.stop()
        with open(os.path.join(self.folder, "error.log"), encoding="utf-8") as file:
            raise AssertionError("nginx does not start: " + file.read())

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)

    @property
    def options(self):
        """Every host and port 443 (80) leads here, and the test's authority is trusted."""
        return ["--cacert", self.cacert, "--connect-to", f":443:127.0.0.1:{self.port}",
                "--connect-to", f":80:127.0.0.1:{self.plain_port}"]

    def put(self, name, content):
        with open(os.path.join(self.www, name), "wb") as file:
            file.write(content)

    def requests(self):
        """What was asked so far: dictionaries of the access log."""
        with open(os.path.join(self.folder, "access.log"), encoding="utf-8") as file:
            rows = [line.split() for line in file]
        names = ("host", "path", "status", "bytes", "protocol", "etag", "since", "connection")
        return [dict(zip(names, row)) for row in rows]
