"""Addresses that lead inside, those that do not, and every way we know to write one that is read as another.

`STRANGE` is refused as it stands. `LEADING_INSIDE` would lead to a listener at `PORT` of this machine if anybody read
it kindly; the names in it are resolved by `LOOKED_UP`.
"""

from __future__ import annotations


def words(text: str) -> list[str]:
    return text.split()


INSIDE = words("""
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.254 127.0.0.1 127.1.2.3 127.255.255.255 169.254.0.1
169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.8 192.0.0.170 192.0.2.1 192.31.196.1 192.52.193.1
192.88.99.1 192.168.0.1 192.168.255.255 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1
239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1
::ffff:169.254.169.254 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b:1::1
64:ff9b:1:7f00:0:100:808:808 100::1 2002:7f00:1:: 2002:a00:1:: 2002:a9fe:a9fe:: 2002:c0a8:1::1
2001:0:4136:e378:8000:63bf:80ff:fffe 2001:0:4136:e378:8000:63bf:f5ff:fffe 2001::1 2001:2::1 2001:10::1 2001:20::1
2001:db8::1 2001:db8:ffff::1 2620:4f:8000::1 3fff::1 3fff:0fff::1 5f00::1 fc00::1 fd00::1 fd12:3456:789a::1 fe80::1
febf::1 fec0::1 ff00::1 ff02::1 ff05::2 ff0e::1 4000::1 8000::1 e000::1
""")

OUTSIDE = words("""
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 169.253.1.1 172.15.0.1
172.32.0.1 192.0.1.1 192.167.1.1 198.17.0.1 198.20.0.1 203.0.112.1 223.255.255.255 2606:4700::1111 2a00:1450:4001::1
2001:4860:4860::8888 2001:200::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1
""")

STRANGE = words("""
http://2130706433/ http://0x7f000001/ http://0x7f.0x0.0x0.0x1/ http://017700000001/ http://0177.0.0.1/ http://127.1/
http://127.0.1/ http://0/ http://0x/ http://00000000/ http://127.0.0.1./ http://1.2.3.4./ http://0x8.8.8.8/
http://8.8.2056/ http://134744072/ http://010.0.0.1/ http://8.8.8.0x8/ http://[::ffff:127.0.0.1]/ http://[::1]/
http://[fe80::1%25eth0]/ http://[2606:4700::1111%25eth0]/ http://[2606:4700::1111%eth0]/ http://[::1 http://[]/
http://[v1.x]/ http://[127.0.0.1]/ http://%31%32%37.0.0.1/ http://127.0.0.1%00.example.org/ http://user@example.org/
http://user:word@example.org/ http://@example.org/ http://example.org:word@127.0.0.1/ http://example.org\\@127.0.0.1/
http://127.0.0.1\\.example.org/ http://example.org#@127.0.0.1/ http://example.org:0/ http://example.org:22/
http://example.org:25/ http://example.org:6379/ http://example.org:5432/ http://example.org:11211/
http://example.org:2375/ http://example.org:65536/ http://example.org:-1/ http://example.org:8e3/
http://example.org:8_0/ http://127.0.0.1:9001/ ftp://example.org/ file:///etc/passwd gopher://127.0.0.1:6379/
dict://127.0.0.1:11211/ javascript:alert(1) //example.org/ example.org http:example.org http:/example.org http://
http:/// https:///path http://?x http://#x http://. http://.example.org/ http://exam..ple.org/ http://-example.org/
http://example-.org/ http://exa*mple.org/ http://bücher.example/ http://１２７.０.０.１/ http://127。0。0。1/ http://ⓛocalhost/
http://example.org/päth http://example.org/#fragment http://example.org/<x> http://example.org/{x}
http://example.org/^ http://example.org/`
""")
STRANGE += [
    "",
    " http://example.org/",
    "http://example.org/ x",
    "http://exam\tple.org/",
    "http://example.org/\r\nHost: inside",
    "http://example.org\x00/",
    f"http://{'a' * 64}.org/",
    f"http://{'a.' * 130}org/",
]

FINE = words("""
https://bot.example.org/play https://bot.example.org https://BOT.Example.ORG:8443/a/b?c=d&e=%20f http://example.org/
https://xn--bcher-kva.example/ https://a_b.example.org/ https://example.org./ https://example.org:443/
http://example.org:80/ https://8.8.8.8/ https://8.8.8.8:1024/ https://[2606:4700::1111]:8443/ https://bot/
https://127.0.0.1.example.org/ https://1e100.net/ https://0xcafe.example/
""")

PORT = "18080"
LEADING_INSIDE = words("""
http://127.0.0.1:18080/ http://127.0.0.1:18080 http://127.1:18080/ http://127.0.1:18080/ http://127.127.127.127:18080/
http://2130706433:18080/ http://0x7f000001:18080/ http://0X7F.1:18080/ http://017700000001:18080/
http://0177.0.0.1:18080/ http://0177.0.0.01:18080/ http://00000177.0.0.1:18080/ http://0x7f.0.0.1:18080/
http://0x7f.0x0.0x0.0x1:18080/ http://127.0x1:18080/ http://0x7f.0.1:18080/ http://127.00000000000000001:18080/
http://0:18080/ http://0.0.0.0:18080/ http://0x0:18080/ http://00:18080/ http://127.0.0.1.:18080/
http://[::1]:18080/ http://[::]:18080/ http://[0:0:0:0:0:0:0:1]:18080/ http://[0000::0001]:18080/
http://[::ffff:127.0.0.1]:18080/ http://[::ffff:7f00:1]:18080/ http://[::FFFF:127.0.0.1]:18080/
http://[0:0:0:0:0:ffff:127.0.0.1]:18080/ http://[::127.0.0.1]:18080/ http://[::ffff:0.0.0.0]:18080/
http://[64:ff9b::127.0.0.1]:18080/ http://[2002:7f00:1::]:18080/ http://[::1%25lo]:18080/ http://[::1%lo]:18080/
http://[fe80::5efe:127.0.0.1]:18080/ http://[2001:0:4136:e378:8000:63bf:80ff:fffe]:18080/
http://localhost:18080/ http://LOCALHOST:18080/ http://localhost.:18080/ http://ip6-localhost:18080/
http://localhost.localdomain:18080/ http://a.localhost:18080/ http://inside.example.org:18080/
http://inside.example.org.:18080/ http://INSIDE.example.org:18080/ http://mapped.example.org:18080/
http://zero.example.org:18080/ http://both.example.org:18080/ http://also.example.org:18080/
http://user@127.0.0.1:18080/ http://user:word@127.0.0.1:18080/ http://example.org@127.0.0.1:18080/
http://example.org:80@127.0.0.1:18080/ http://127.0.0.1:18080@127.0.0.1:18080/ http://:@127.0.0.1:18080/
http://127.0.0.1:18080#@example.org/ http://127.0.0.1:18080?@example.org/ http://127.0.0.1:18080\\@example.org/
http://example.org\\@127.0.0.1:18080/ http:\\\\127.0.0.1:18080\\ http:/127.0.0.1:18080/ http:127.0.0.1:18080/
http:///127.0.0.1:18080/ //127.0.0.1:18080/ http://127.0.0.1:018080/ http://127.0.0.1:+18080/
http://127%2e0%2e0%2e1:18080/ http://%31%32%37.0.0.1:18080/ http://127.0.0.1%3a18080/ http://127.0.0.1:18080%2f@x.org/
http://１２７.０.０.１:18080/ http://127。0。0。1:18080/ http://127．0．0．1:18080/ http://①②⑦.0.0.1:18080/
http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:18080/ http://localhoſt:18080/ http://xn--localhost-:18080/ http://lo\u00adcalhost:18080/
https://127.0.0.1:18080/ https://[::1]:18080/ https://localhost:18080/ https://2130706433:18080/
HTTP://127.0.0.1:18080/ hTTps://127.0.0.1:18080/ ws://127.0.0.1:18080/ http+unix://127.0.0.1:18080/
http://1.1.1.1,127.0.0.1:18080/ http://127.0.0.1,1.1.1.1:18080/ http://127.0.0.1;1.1.1.1:18080/
""")
LEADING_INSIDE += [
    " http://127.0.0.1:18080/",
    "http://127.0.0.1:18080/\n",
    "http://127.0.0.1\t:18080/",
    "ht\ntp://127.0.0.1:18080/",
    "http://\r\n127.0.0.1:18080/",
    "http://127.0.0.1:18080\x00.example.org/",
    "http://127.0.0.1 :18080/",
    "http://example.org\u2028@127.0.0.1:18080/",
    "http://[::1]\n:18080/",
]
LOOKED_UP = {
    "inside.example.org": ("127.0.0.1",),
    "mapped.example.org": ("::ffff:127.0.0.1",),
    "zero.example.org": ("0.0.0.0", "::"),
    "both.example.org": ("127.0.0.1", "::1", "8.8.8.8"),
    "also.example.org": ("8.8.8.8", "127.0.0.1"),
}
"""Every other name leads to 127.0.0.1."""
