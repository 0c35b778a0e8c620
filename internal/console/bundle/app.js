/* Generated from 15661c4cec1412ab7b54047b1640e6e52ffe34b0328291b023ebe175416e87a4; see licenses.txt. */
var Vo,st,oc,sh,ba,tc,rc,ic,li,Ho,so,lc,ui,di,ci,oh,Jo={},Ko=[],rh=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i,Yo=Array.isArray;function ea(e,t){
for(var n in t)e[n]=t[n];return e}function pi(e){e&&e.parentNode&&e.parentNode.removeChild(e)}function hi(e,t,n){var s,o,r,d={};for(r in t)r=="key"?s=t[r]:r=="r\
ef"?o=t[r]:d[r]=t[r];if(arguments.length>2&&(d.children=arguments.length>3?Vo.call(arguments,2):n),typeof e=="function"&&e.defaultProps!=null)for(r in e.defaultProps)
d[r]===void 0&&(d[r]=e.defaultProps[r]);return Uo(e,d,s,o,null)}function Uo(e,t,n,s,o){var r={type:e,props:t,key:n,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,
constructor:void 0,__v:o??++oc,__i:-1,__u:0};return o==null&&st.vnode!=null&&st.vnode(r),r}function Zo(e){return e.children}function Bo(e,t){this.props=e,this.context=t}function qa(e,t){if(t==null)return e.__?qa(e.__,e.__i+1):null;for(var n;t<e.__k.length;t++)
if((n=e.__k[t])!=null&&n.__e!=null)return n.__e;return typeof e.type=="function"?qa(e):null}function ih(e){if(e.__P&&e.__d){var t=e.__v,n=t.__e,s=[],o=[],r=ea({},
t);r.__v=t.__v+1,st.vnode&&st.vnode(r),fi(e.__P,r,t,e.__n,e.__P.namespaceURI,32&t.__u?[n]:null,s,n??qa(t),!!(32&t.__u),o),r.__v=t.__v,r.__.__k[r.__i]=r,hc(s,r,o),
t.__e=t.__=null,r.__e!=n&&dc(r)}}function dc(e){if((e=e.__)!=null&&e.__c!=null)return e.__e=e.__c.base=null,e.__k.some(function(t){if(t!=null&&t.__e!=null)return e.
__e=e.__c.base=t.__e}),dc(e)}function nc(e){(!e.__d&&(e.__d=!0)&&ba.push(e)&&!Go.__r++||tc!=st.debounceRendering)&&((tc=st.debounceRendering)||rc)(Go)}function Go(){
try{for(var e,t=1;ba.length;)ba.length>t&&ba.sort(ic),e=ba.shift(),t=ba.length,ih(e)}finally{ba.length=Go.__r=0}}function cc(e,t,n,s,o,r,d,c,$,w,T){var E,v,j,U,
q,re,ye=s&&s.__k||Ko,de=t.length;for($=lh(n,t,ye,$,de),E=0;E<de;E++)(j=n.__k[E])!=null&&(v=j.__i!=-1&&ye[j.__i]||Jo,j.__i=E,re=fi(e,j,v,o,r,d,c,$,w,T),U=j.__e,j.
ref&&v.ref!=j.ref&&(v.ref&&mi(v.ref,null,j),T.push(j.ref,j.__c||U,j)),q==null&&U!=null&&(q=U),4&j.__u?($=uc(j,$,e),v.__e&&(v.__e=null)):typeof j.type=="function"&&
re!==void 0?$=re:U&&($=U.nextSibling),j.__u&=-7);return n.__e=q,$}function lh(e,t,n,s,o){var r,d,c,$,w,T=n.length,E=T,v=0;for(e.__k=new Array(o),r=0;r<o;r++)(d=
t[r])!=null&&typeof d!="boolean"&&typeof d!="function"?(typeof d=="string"||typeof d=="number"||typeof d=="bigint"||d.constructor==String?d=e.__k[r]=Uo(null,d,null,
null,null):Yo(d)?d=e.__k[r]=Uo(Zo,{children:d},null,null,null):d.constructor===void 0&&d.__b>0?d=e.__k[r]=Uo(d.type,d.props,d.key,d.ref?d.ref:null,d.__v):e.__k[r]=
d,$=r+v,d.__=e,d.__b=e.__b+1,c=null,(w=d.__i=dh(d,n,$,E))!=-1&&(E--,(c=n[w])&&(c.__u|=2)),c==null||c.__v==null?(w==-1&&(o>T?v--:o<T&&v++),typeof d.type!="functi\
on"&&(d.__u|=4)):w!=$&&(w==$-1?v--:w==$+1?v++:(w>$?v--:v++,d.__u|=4))):e.__k[r]=null;if(E)for(r=0;r<T;r++)(c=n[r])!=null&&(2&c.__u)==0&&(c.__e==s&&(s=qa(c)),mc(
c,c));return s}function uc(e,t,n){var s,o;if(typeof e.type=="function"){for(s=e.__k,o=0;s&&o<s.length;o++)s[o]&&(s[o].__=e,t=uc(s[o],t,n));return t}e.__e!=t&&(t&&
e.type&&!t.parentNode&&(t=qa(e)),t=n.insertBefore(e.__e,t||null));do t=t&&t.nextSibling;while(t!=null&&t.nodeType==8);return t}function dh(e,t,n,s){var o,r,d,c=e.key,$=e.type,w=t[n],T=w!=null&&(2&w.__u)==0;if(w===null&&c==null||T&&c==w.key&&$==w.type)return n;if(s>(T?1:0)){for(o=n-1,r=n+
1;o>=0||r<t.length;)if((w=t[d=o>=0?o--:r++])!=null&&(2&w.__u)==0&&c==w.key&&$==w.type)return d}return-1}function ac(e,t,n){t[0]=="-"?e.setProperty(t,n??""):e[t]=
n==null?"":typeof n!="number"||rh.test(t)?n:n+"px"}function qo(e,t,n,s,o){var r,d;e:if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof s=="str\
ing"&&(e.style.cssText=s=""),s)for(t in s)n&&t in n||ac(e.style,t,"");if(n)for(t in n)s&&n[t]==s[t]||ac(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")r=t!=(t=t.replace(
lc,"$1")),d=t.toLowerCase(),t=d in e||t=="onFocusOut"||t=="onFocusIn"?d.slice(2):t.slice(2),e.l||(e.l={}),e.l[t+r]=n,n?s?n[so]=s[so]:(n[so]=ui,e.addEventListener(
t,r?ci:di,r)):e.removeEventListener(t,r?ci:di,r);else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&
t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{e[t]=n??"";break e}catch{}
typeof n=="function"||(n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n))}}function sc(e){return function(t){if(this.l){
var n=this.l[t.type+e];if(t[Ho]==null)t[Ho]=ui++;else if(t[Ho]<n[so])return;return n(st.event?st.event(t):t)}}}function fi(e,t,n,s,o,r,d,c,$,w){var T,E,v,j,U,q,
re,ye,de,at,Pe,Ke,ie,be,un,Ot,an=t.type;if(t.constructor!==void 0)return null;128&n.__u&&($=!!(32&n.__u),r=[c=t.__e=n.__e]),(T=st.__b)&&T(t);e:if(typeof an=="fu\
nction"){E=d.length;try{if(de=t.props,at=an.prototype&&an.prototype.render,Pe=(T=an.contextType)&&s[T.__c],Ke=T?Pe?Pe.props.value:T.__:s,n.__c?ye=(v=t.__c=n.__c).
__=v.__E:(at?t.__c=v=new an(de,Ke):(t.__c=v=new Bo(de,Ke),v.constructor=an,v.render=uh),Pe&&Pe.sub(v),v.state||(v.state={}),v.__n=s,j=v.__d=!0,v.__h=[],v._sb=[]),
at&&v.__s==null&&(v.__s=v.state),at&&an.getDerivedStateFromProps!=null&&(v.__s==v.state&&(v.__s=ea({},v.__s)),ea(v.__s,an.getDerivedStateFromProps(de,v.__s))),U=
v.props,q=v.state,v.__v=t,j)at&&an.getDerivedStateFromProps==null&&v.componentWillMount!=null&&v.componentWillMount(),at&&v.componentDidMount!=null&&v.__h.push(
v.componentDidMount);else{if(at&&an.getDerivedStateFromProps==null&&de!==U&&v.componentWillReceiveProps!=null&&v.componentWillReceiveProps(de,Ke),t.__v==n.__v||
!v.__e&&v.shouldComponentUpdate!=null&&v.shouldComponentUpdate(de,v.__s,Ke)===!1){t.__v!=n.__v&&(v.props=de,v.state=v.__s,v.__d=!1),t.__e=n.__e,t.__k=n.__k,t.__k.
some(function(Fe){Fe&&(Fe.__=t)}),Ko.push.apply(v.__h,v._sb),v._sb=[],v.__h.length&&d.push(v),c=qa(n);break e}v.componentWillUpdate!=null&&v.componentWillUpdate(
de,v.__s,Ke),at&&v.componentDidUpdate!=null&&v.__h.push(function(){v.componentDidUpdate(U,q,re)})}if(v.context=Ke,v.props=de,v.__P=e,v.__e=!1,ie=st.__r,be=0,at)
v.state=v.__s,v.__d=!1,ie&&ie(t),T=v.render(v.props,v.state,v.context),Ko.push.apply(v.__h,v._sb),v._sb=[];else do v.__d=!1,ie&&ie(t),T=v.render(v.props,v.state,
v.context),v.state=v.__s;while(v.__d&&++be<25);v.state=v.__s,v.getChildContext!=null&&(s=ea(ea({},s),v.getChildContext())),at&&!j&&v.getSnapshotBeforeUpdate!=null&&
(re=v.getSnapshotBeforeUpdate(U,q)),un=T!=null&&T.type===Zo&&T.key==null?fc(T.props.children):T,c=cc(e,Yo(un)?un:[un],t,n,s,o,r,d,c,$,w),v.base=t.__e,t.__u&=-161,
v.__h.length&&d.push(v),ye&&(v.__E=v.__=null)}catch(Fe){if(d.length=E,t.__v=null,$||r!=null){if(Fe.then){for(t.__u|=$?160:128;c&&c.nodeType==8&&c.nextSibling;)c=
c.nextSibling;r!=null&&(r[r.indexOf(c)]=null),t.__e=c}else if(r!=null)for(Ot=r.length;Ot--;)pi(r[Ot])}else t.__e=n.__e;t.__k==null&&(t.__k=n.__k||[]),Fe.then||pc(
t),st.__e(Fe,t,n)}}else r==null&&t.__v==n.__v?(t.__k=n.__k,t.__e=n.__e):c=t.__e=ch(n.__e,t,n,s,o,r,d,$,w);return(T=st.diffed)&&T(t),128&t.__u?void 0:c}function pc(e){
e&&(e.__c&&(e.__c.__e=!0),e.__k&&e.__k.some(pc))}function hc(e,t,n){for(var s=0;s<n.length;s++)mi(n[s],n[++s],n[++s]);st.__c&&st.__c(t,e),e.some(function(o){try{
e=o.__h,o.__h=[],e.some(function(r){r.call(o)})}catch(r){st.__e(r,o.__v)}})}function fc(e){return typeof e!="object"||e==null||e.__b>0?e:Yo(e)?e.map(fc):e.constructor!==
void 0?null:ea({},e)}function ch(e,t,n,s,o,r,d,c,$){var w,T,E,v,j,U,q,re=n.props||Jo,ye=t.props,de=t.type;if(de=="svg"?o="http://www.w3.org/2000/svg":de=="math"?
o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),r!=null){for(w=0;w<r.length;w++)if((j=r[w])&&"setAttribute"in j==!!de&&(de?j.localName==
de:j.nodeType==3)){e=j,r[w]=null;break}}if(e==null){if(de==null)return document.createTextNode(ye);e=document.createElementNS(o,de,ye.is&&ye),c&&(st.__m&&st.__m(
t,r),c=!1),r=null}if(de==null)re===ye||c&&e.data==ye||(e.data=ye);else{if(r=de=="textarea"&&ye.defaultValue!=null?null:r&&Vo.call(e.childNodes),!c&&r!=null)for(re=
{},w=0;w<e.attributes.length;w++)re[(j=e.attributes[w]).name]=j.value;for(w in re)j=re[w],w=="dangerouslySetInnerHTML"?E=j:w=="children"||w in ye||w=="value"&&"\
defaultValue"in ye||w=="checked"&&"defaultChecked"in ye||qo(e,w,null,j,o);for(w in ye)j=ye[w],w=="children"?v=j:w=="dangerouslySetInnerHTML"?T=j:w=="value"?U=j:
w=="checked"?q=j:c&&typeof j!="function"||re[w]===j||qo(e,w,j,re[w],o);if(T)c||E&&(T.__html==E.__html||T.__html==e.innerHTML)||(e.innerHTML=T.__html),t.__k=[];else if(E&&
(e.innerHTML=""),cc(t.type=="template"?e.content:e,Yo(v)?v:[v],t,n,s,de=="foreignObject"?"http://www.w3.org/1999/xhtml":o,r,d,r?r[0]:n.__k&&qa(n,0),c,$),r!=null)
for(w=r.length;w--;)pi(r[w]);c&&de!="textarea"||(w="value",de=="progress"&&U==null?e.removeAttribute("value"):U!=null&&(U!==e[w]||de=="progress"&&!U||de=="optio\
n"&&U!=re[w])&&qo(e,w,U,re[w],o),w="checked",q!=null&&q!=e[w]&&qo(e,w,q,re[w],o))}return e}function mi(e,t,n){try{if(typeof e=="function"){var s=typeof e.__u=="\
function";s&&e.__u(),s&&t==null||(e.__u=e(t))}else e.current=t}catch(o){st.__e(o,n)}}function mc(e,t,n){var s,o;if(st.unmount&&st.unmount(e),(s=e.ref)&&(s.current&&
s.current!=e.__e||mi(s,null,t)),(s=e.__c)!=null){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(r){st.__e(r,t)}s.base=s.__P=s.__n=null}if(s=e.__k)
for(o=0;o<s.length;o++)s[o]&&mc(s[o],t,n||typeof e.type!="function");n||pi(e.__e),e.__c=e.__=e.__e=void 0}function uh(e,t,n){return this.constructor(e,n)}function $i(e,t,n){
var s,o,r,d;t==document&&(t=document.documentElement),st.__&&st.__(e,t),o=(s=typeof n=="function")?null:n&&n.__k||t.__k,r=[],d=[],fi(t,e=(!s&&n||t).__k=hi(Zo,null,
[e]),o||Jo,Jo,t.namespaceURI,!s&&n?[n]:o?null:t.firstChild?Vo.call(t.childNodes):null,r,!s&&n?n:o?o.__e:t.firstChild,s,d),hc(r,e,d),e.props.children=null}Vo=Ko.slice,st={__e:function(e,t,n,s){for(var o,r,d;t=t.__;)if((o=t.__c)&&!o.__)try{if((r=o.constructor)&&r.getDerivedStateFromError!=null&&(o.setState(r.getDerivedStateFromError(
e)),d=o.__d),o.componentDidCatch!=null&&(o.componentDidCatch(e,s||{}),d=o.__d),d)return o.__E=o}catch(c){e=c}throw e}},oc=0,sh=function(e){return e!=null&&e.constructor===
void 0},Bo.prototype.setState=function(e,t){var n;n=this.__s!=null&&this.__s!=this.state?this.__s:this.__s=ea({},this.state),typeof e=="function"&&(e=e(ea({},n),
this.props)),e&&ea(n,e),e!=null&&this.__v&&(t&&this._sb.push(t),nc(this))},Bo.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),nc(this))},
Bo.prototype.render=Zo,ba=[],rc=typeof Promise=="function"?Promise.prototype.then.bind(Promise.resolve()):setTimeout,ic=function(e,t){return e.__v.__b-t.__v.__b},
Go.__r=0,li=Math.random().toString(8),Ho="__d"+li,so="__a"+li,lc=/(PointerCapture)$|Capture$/i,ui=0,di=sc(!1),ci=sc(!0),oh=0;var gc=function(e,t,n,s){var o;t[0]=0;for(var r=1;r<t.length;r++){var d=t[r++],c=t[r]?(t[0]|=d?1:2,n[t[r++]]):t[++r];d===3?s[0]=c:d===4?s[1]=Object.assign(s[1]||
{},c):d===5?(s[1]=s[1]||{})[t[++r]]=c:d===6?s[1][t[++r]]+=c+"":d?(o=e.apply(c,gc(e,c,n,["",null])),s.push(o),c[0]?t[0]|=2:(t[r-2]=0,t[r]=o)):s.push(c)}return s},
$c=new Map;function bc(e){var t=$c.get(this);return t||(t=new Map,$c.set(this,t)),(t=gc(this,t.get(e)||(t.set(e,t=(function(n){for(var s,o,r=1,d="",c="",$=[0],w=function(v){
r===1&&(v||(d=d.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?$.push(0,v,d):r===3&&(v||d)?($.push(3,v,d),r=2):r===2&&d==="..."&&v?$.push(4,v,0):r===2&&d&&!v?$.push(5,0,!0,
d):r>=5&&((d||!v&&r===5)&&($.push(r,0,d,o),r=6),v&&($.push(r,v,0,o),r=6)),d=""},T=0;T<n.length;T++){T&&(r===1&&w(),w(T));for(var E=0;E<n[T].length;E++)s=n[T][E],
r===1?s==="<"?(w(),$=[$],r=3):d+=s:r===4?d==="--"&&s===">"?(r=1,d=""):d=s+d[0]:c?s===c?c="":d+=s:s==='"'||s==="'"?c=s:s===">"?(w(),r=1):r&&(s==="="?(r=5,o=d,d=""):
s==="/"&&(r<5||n[T][E+1]===">")?(w(),r===3&&($=$[0]),r=$,($=$[0]).push(2,0,r),r=0):s===" "||s==="	"||s===`
`||s==="\r"?(w(),r=2):d+=s),r===3&&d==="!--"&&(r=4,$=$[0])}return w(),$})(e)),t),arguments,[])).length>1?t:t[0]}var oo,vt,gi,vc,Qo=0,Sc=[],kt=st,wc=kt.__b,yc=kt.__r,xc=kt.diffed,kc=kt.__c,_c=kt.unmount,Cc=kt.__;function vi(e,t){kt.__h&&kt.__h(vt,e,Qo||t),Qo=0;var n=vt.__H||
(vt.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function O(e){return Qo=1,ph(Dc,e)}function ph(e,t,n){var s=vi(oo++,2);if(s.t=e,!s.__c&&(s.
__=[n?n(t):Dc(void 0,t),function(c){var $=s.__N?s.__N[0]:s.__[0],w=s.t($,c);$!==w&&(s.__N=[w,s.__[1]],s.__c.setState({}))}],s.__c=vt,!vt.__f)){var o=function(c,$,w){
if(!s.__c.__H)return!0;var T=!1,E=s.__c.props!==c;if(s.__c.__H.__.some(function(j){if(j.__N){T=!0;var U=j.__[0];j.__=j.__N,j.__N=void 0,U!==j.__[0]&&(E=!0)}}),r){
var v=r.call(this,c,$,w);return T?v||E:v}return!T||E};vt.__f=!0;var r=vt.shouldComponentUpdate,d=vt.componentWillUpdate;vt.componentWillUpdate=function(c,$,w){if(this.
__e){var T=r;r=void 0,o(c,$,w),r=T}d&&d.call(this,c,$,w)},vt.shouldComponentUpdate=o}return s.__N||s.__}function Ce(e,t){var n=vi(oo++,3);!kt.__s&&Tc(n.__H,t)&&
(n.__=e,n.u=t,vt.__H.__h.push(n))}function qt(e){return Qo=5,Yt(function(){return{current:e}},[])}function Yt(e,t){var n=vi(oo++,7);return Tc(n.__H,t)&&(n.__=e(),n.__H=t,n.__h=e),n.__}function hh(){for(var e;e=Sc.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Xo),t.__h.some(bi),t.__h=[]}catch(n){t.__h=[],kt.__e(n,e.__v)}}}kt.__b=function(e){
vt=null,wc&&wc(e)},kt.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Cc&&Cc(e,t)},kt.__r=function(e){yc&&yc(e),oo=0;var t=(vt=e.__c).__H;t&&(gi===vt?(t.
__h=[],vt.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})):(t.__h.some(Xo),t.__h.some(bi),t.__h=[],oo=0)),gi=vt},kt.diffed=function(e){xc&&xc(
e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&(Sc.push(t)!==1&&vc===kt.requestAnimationFrame||((vc=kt.requestAnimationFrame)||fh)(hh)),t.__H.__.some(function(n){n.
u&&(n.__H=n.u,n.u=void 0)})),gi=vt=null},kt.__c=function(e,t){t.some(function(n){try{n.__h.some(Xo),n.__h=n.__h.filter(function(s){return!s.__||bi(s)})}catch(s){
t.some(function(o){o.__h&&(o.__h=[])}),t=[],kt.__e(s,n.__v)}}),kc&&kc(e,t)},kt.unmount=function(e){_c&&_c(e);var t,n=e.__c;n&&n.__H&&(n.__H.__.some(function(s){
try{Xo(s)}catch(o){t=o}}),n.__H=void 0,t&&kt.__e(t,n.__v))};var jc=typeof requestAnimationFrame=="function";function fh(e){var t,n=function(){clearTimeout(s),jc&&
cancelAnimationFrame(t),setTimeout(e)},s=setTimeout(n,35);jc&&(t=requestAnimationFrame(n))}function Xo(e){var t=vt,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),
vt=t}function bi(e){var t=vt;e.__c=e.__(),vt=t}function Tc(e,t){return!e||e.length!==t.length||t.some(function(n,s){return n!==e[s]})}function Dc(e,t){return typeof t==
"function"?t(e):t}var a=bc.bind(hi);var va=!1;try{va=localStorage.getItem("zone")==="utc"}catch{}var Sn=()=>va;function ws(e){va=e;try{localStorage.setItem("zone",e?"utc":"local")}catch{}window.dispatchEvent(
new Event("zone"))}var Rc=0,pt=()=>Date.now()+Rc;function Ac(e){Rc=Math.abs(e-Date.now())<5e3?0:e-Date.now()}var wi=new Map,ys=e=>{let t=va?"UTC":void 0;return wi.
has(va)||wi.set(va,new Intl.DateTimeFormat("en-GB",{timeZone:t,year:"numeric",month:"2-digit",day:"2-digit",hour:"2-digit",minute:"2-digit",second:"2-digit",hourCycle:"\
h23",timeZoneName:"short"})),Object.fromEntries(wi.get(va).formatToParts(new Date(e)).map(n=>[n.type,n.value]))},ro=(e=pt())=>ys(e).timeZoneName,zn=e=>{let t=ys(
e);return`${t.year}-${t.month}-${t.day}`},ln=e=>{let t=ys(e);return`${t.hour}:${t.minute}:${t.second} ${t.timeZoneName}`},It=e=>`${zn(e)} ${ln(e)}`,mh=["Jan","F\
eb","Mar","Apr","May","Jun","Jul","Aug","Sep","Oct","Nov","Dec"],yi=e=>{let t=ys(e);return`${Number(t.day)} ${mh[t.month-1]}`},Mc=e=>{let t=ys(e);return`${zn(e)===
zn(pt())?"":yi(e)+" "}${t.hour}:${t.minute} ${t.timeZoneName}`},xi=e=>`${yi(e)} ${ln(e)}`;function ki(e,t=0){let[n,s,o]=e.split("-").map(Number);return(va?new Date(
Date.UTC(n,s-1,o+t)):new Date(n,s-1,o+t)).toISOString()}function Ec(e,t){let n="";return e.map(s=>{let o=ys(s*1e3),r=yi(s*1e3),d=t>=86400?"":t>=60?`${o.hour}:${o.
minute}`:t>=1?`${o.hour}:${o.minute}:${o.second}`:`${o.second}.${String(Math.round(s*1e3)%1e3).padStart(3,"0")}`;if(!d)return r;let c=r===n?d:`${d}
${r}`;return n=r,c})}var Le={user:"",role:"",csrf:"",ways:[],absent:""},Pc={viewer:1,operator:2,admin:3},Ge=e=>(Pc[Le.role]??0)>=Pc[e],Si=()=>{},Oc=e=>{Si=e};async function zc(e,t,n){
let s={Accept:"application/json"};e!=="GET"&&(s["Content-Type"]="application/json",s["X-CSRF-Token"]=Le.csrf);let o;try{o=await fetch(t,{method:e,headers:s,body:n===
void 0?void 0:JSON.stringify(n)})}catch{throw Object.assign(new Error("usher does not respond. The page retries automatically."),{lost:!0})}let r=await o.json().
catch(()=>({}));if(o.status===401&&!t.startsWith("/api/login")&&Si(),!o.ok)throw Object.assign(new Error(r.error||`the server answered with status ${o.status}`),
{lost:o.status===503,gone:o.status===404});return r}var Ln=e=>zc("GET",e),Ie=(e,t={})=>zc("POST",e,t);async function xs(){let e=await Ln("/api/session");return(e.
absent!=="unread"||!Le.user)&&Object.assign(Le,{user:"",role:"",csrf:"",absent:""},e),Le}function je(e){let t=new URLSearchParams;for(let[s,o]of Object.entries(
e))o!=null&&o!==""&&o!==!1&&t.set(s,o);let n=t.toString();return n&&"?"+n}var Un=null,Ic=!1;function _i(e){for(let t of wa.values())(e.includes("*")||e.some(n=>t.
topics.has(n)))&&t.changed()}var ta={state:null,at:Date.now()},$h=3500,er=()=>({state:ta.state,heard:ta.at,cut:Date.now()-ta.at>$h});function Ci(){Un||document.
hidden||!Le.user||(ta.at=Date.now(),Un=new EventSource("/api/live"),Ic&&(Un.onopen=()=>_i(["*"])),Ic=!0,Un.onmessage=e=>_i(e.data.split(",")),Un.addEventListener(
"health",e=>{let t=s=>(s?.services??[]).filter(o=>o.since).map(o=>o.name).join(),n=ta.state;Object.assign(ta,{state:JSON.parse(e.data),at:Date.now()}),ta.state.
at.startsWith("0001")||Ac(Date.parse(ta.state.at)),n&&t(n)!==t(ta.state)&&_i(["*"])}),Un.onerror=()=>{Un?.readyState===EventSource.CLOSED&&(Un=null,setTimeout(async()=>{
await xs().then(e=>e.user||e.absent==="unread",()=>!0)?Ci():Si()},2e3))})}function io(){Un?.close(),Un=null}function Ti(){document.addEventListener("visibilityc\
hange",()=>document.hidden?io():Ci()),window.addEventListener("pagehide",io),Ci()}var wa=new Map,gh=1500,ji=class{state={data:null,error:"",lost:!1};topics=new Set;drawn=new Set;busy=!1;again=!1;sent=0;timer=0;constructor(t){
this.path=t,this.load()}async load(){if(this.busy){this.again=!0;return}this.busy=!0,this.again=!1,clearTimeout(this.timer),this.sent=Date.now();try{this.state=
{data:await Ln(this.path),error:"",lost:!1}}catch(t){this.state={data:t.gone?null:this.state.data,error:t.message,lost:t.lost}}this.busy=!1;for(let t of this.drawn)
t();this.again&&this.changed()}changed(){if(this.busy){this.again=!0;return}clearTimeout(this.timer),this.timer=setTimeout(()=>wa.get(this.path)===this&&this.load(),
Math.max(0,this.sent+gh-Date.now()))}};function Se(e,t=[]){let[,n]=O(0),s=qt(null),o=e?wa.get(e)??new ji(e):null;o&&(wa.set(e,o),t.forEach($=>o.topics.add($))),
Ce(()=>{if(!o)return;let $=()=>n(w=>w+1);return o.drawn.add($),wa.has(e)||(wa.set(e,o),o.changed()),(o.state.data||o.state.error)&&$(),()=>{o.drawn.delete($),o.
drawn.size===0&&wa.get(e)===o&&wa.delete(e)}},[o]);let{data:r,error:d,lost:c}=o?.state??{data:null,error:"",lost:!1};return r&&(s.current=r),{data:r,stale:s.current,
error:d,lost:c,reload:()=>o?.load()}}var Di=new Intl.NumberFormat("en",{maximumFractionDigits:0}),bh=new Intl.NumberFormat("en",{notation:"compact",maximumFractionDigits:1}),vh=new Intl.NumberFormat(
"en",{maximumFractionDigits:2}),wh=new Intl.NumberFormat("en",{maximumSignificantDigits:4}),C=e=>Di.format(e??0),lo=e=>vh.format(e??0),Bn=e=>e<1e4?Di.format(e):
bh.format(e),dn=e=>Number.isInteger(e)?Di.format(e):wh.format(e),F=(e,t,n=t+"s")=>`${C(e)} ${e===1?t:n}`;function ks(e){let t=["B","kB","MB","GB","TB"],n=0;for(;e>=
1e3&&n<t.length-1;n++)e/=1e3;return`${e<10&&n>0?e.toFixed(1):Math.round(e)} ${t[n]}`}function Zt(e){return e=Math.max(0,e),e<1?`${Math.round(e*1e3)} ms`:e<10?`${e.
toFixed(1)} s`:e<60?`${Math.floor(e)} s`:e<3600?`${Math.floor(e/60)} min ${Math.floor(e%60)} s`:e<86400?`${Math.floor(e/3600)} h ${Math.floor(e%3600/60)} min`:`${Math.
floor(e/86400)} d ${Math.floor(e%86400/3600)} h`}function co(e,t=pt()){let n=(t-new Date(e).getTime())/1e3,s=Math.abs(n),o;if(s<5)return"just now";if(s<60)o=`${Math.
floor(s)} s`;else if(s<3600)o=`${Math.floor(s/60)} min`;else if(s<86400)o=`${Math.floor(s/3600)} h`;else if(s<86400*60)o=F(Math.floor(s/86400),"day");else return zn(
e);return n<0?`in ${o}`:`${o} ago`}var Jn=e=>a`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${e}</svg>`,
cn={overview:Jn(a`<path d="M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z" />`),audiences:Jn(a`<circle cx="9" cy="8" r="3.5" /><path d="M3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.700 3 5.500" />`),
jobs:Jn(a`<path d="M4 6h16M4 12h16M4 18h10" />`),letters:Jn(a`<path d="M4 6h16v12H4zM4 7l8 6 8-6" />`),campaigns:Jn(a`<path d="M5 10v4l9 4V6zM14 9a3 3 0 0 1 0 6M7 15v4h3v-3" />`),
rules:Jn(a`<path d="M6 4v6M6 14v6M12 4v2M12 10v10M18 4v10M18 18v2M4 12h4M10 8h4M16 16h4" />`),workers:Jn(a`<path d="M4 5h16v5H4zM4 14h16v5H4zM8 7.500h.01M8 16.500h.01" />`),
audit:Jn(a`<path d="M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h6" />`),theme:Jn(a`<path d="M12 4a8 8 0 1 0 0 16z" fill="currentColor" /><circle cx="12" cy="12" r="8" />`),
leave:Jn(a`<path d="M10 5H5v14h5M14 8l4 4-4 4M18 12H9" />`),brand:a`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4f46e5" /><g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M9 8v8a7 7 0 0 0 14 0V8" /><path d="M9 26h14" /></g></svg>`};var uo=[["h","","Overview"],["a","audiences","Audiences"],["j","jobs","Jobs"],["l","letters","Dead letters"],["c","campaigns","Campaigns"],["r","rules","Rules"],
["w","workers","Workers"],["u","audit","Audit"]];function na(){let[e,t]=(location.hash.slice(1)||"/").split("?");return{path:e.split("/").map(decodeURIComponent).
join("/"),names:e.split("/").filter(Boolean).map(decodeURIComponent),params:Object.fromEntries(new URLSearchParams(t))}}function Fc(){let[e,t]=O(na());return Ce(
()=>{let n=()=>t(na());return window.addEventListener("hashchange",n),()=>window.removeEventListener("hashchange",n)},[]),e}function se(...e){return"#/"+e.map(encodeURIComponent).
join("/")}function tt(e){let{path:t,params:n}={path:(location.hash.slice(1)||"/").split("?")[0],params:na().params},s=new URLSearchParams;for(let[r,d]of Object.
entries({...n,...e}))d&&s.set(r,d);let o=s.toString();history.replaceState(history.state,"","#"+t+(o&&"?"+o)),window.dispatchEvent(new Event("hashchange"))}history.
scrollRestoration="manual";var Ri=0,ya=null;window.addEventListener("scroll",()=>{clearTimeout(Ri),ya||(Ri=setTimeout(()=>history.replaceState({...history.state,
y:window.scrollY},""),150))},{passive:!0});var Nc=()=>ya!==null,Lc=["wheel","touchstart","pointerdown","keydown"];function Wc(e){ya?.();let t=()=>{window.scrollTo(
0,e),window.scrollY>=e-1&&ya?.()},n=new ResizeObserver(t),s=setTimeout(()=>ya?.(),5e3),o=()=>{ya=null,n.disconnect(),clearTimeout(s),Lc.forEach(r=>window.removeEventListener(
r,o))};ya=o,Lc.forEach(r=>window.addEventListener(r,o,{passive:!0})),n.observe(document.body)}window.addEventListener("popstate",e=>{clearTimeout(Ri),ya?.(),e.state?.
y>0&&Wc(e.state.y)});history.state?.y>0&&Wc(history.state.y);var Fn={invalid_job:{title:"Jobs are not valid",todo:"Correct the field that is wrong with Fix and replay.",then:"Correct it with Fix and replay."},source_missing:{
title:"The export is missing",todo:"Put the export in its place and replay, or set the right file with Fix and replay.",then:"Then replay; if its name is wrong,\
 set the right file with Fix and replay."},source_refused:{title:"The export may not be read",todo:"Move the export to a place that is allowed, and set its new \
place with Fix and replay.",then:"Then replay, or set the new place with Fix and replay."},source_broken:{title:"The export cannot be read",todo:"Have the expor\
t written again and replay, or say with Fix and replay how it is written.",then:"Then replay, or say with Fix and replay how it is written."},unauthorized:{title:"\
The platform refuses the login",todo:"Have the user name or password in usher's configuration corrected, then replay.",then:"Then replay."},forbidden:{title:"Th\
e platform forbids it",todo:"Have usher's login linked to the advertiser on the platform, then replay.",then:"Then replay."},not_found:{title:"The platform does\
 not know the target",todo:"Create the target on the platform and replay, or set the right one with Fix and replay.",then:"Then replay, or set the right one wit\
h Fix and replay."},refused:{title:"The platform refuses the job",todo:"Read what the platform answered, and correct the job with Fix and replay.",then:"Then re\
play, or correct the job with Fix and replay."},shrink:{title:"The audience would shrink too much",todo:"If the smaller export is right, allow it with Fix and r\
eplay. Otherwise have it written again, and replay.",then:"If the smaller export is right, allow it with Fix and replay.",field:"force",value:"true"},changed:{title:"\
The export is not as it was",todo:"If the export is right, accept its differences with Fix and replay. Otherwise have it written as before, and replay.",then:"I\
f the export is right, accept its differences with Fix and replay.",field:"acceptChange",value:"true"},ledger_broken:{title:"usher's list of the ids is damaged",
todo:"Ask whoever runs usher to mend or drop the ledger in the terminal, then replay.",then:"Then replay."},too_many_rejects:{title:"Too many rows are no device\
 ids",todo:"Look at the dropped rows on the job's page. Then correct how the export is read, or allow more, with Fix and replay.",then:"Then correct the job, or\
 allow more, with Fix and replay.",field:"maxRejectPercent"},exhausted:{title:"All attempts have failed",todo:"Remove the cause, then replay.",then:"Then replay\
."},poison:{title:"A worker crashed on it again and again",todo:"Report it with the worker's log. Replay once it is repaired.",then:"Replay once it is repaired."},
deadline:{title:"The deadline has passed",todo:"Set a later deadline with Fix and replay.",then:"Set a later deadline with Fix and replay.",field:"deadline"}},Ht=e=>Fn[e]?.
title??e,po={"segment.add":["Add to a segment",e=>`Add to ${e}`],"segment.remove":["Remove from a segment",e=>`Remove from ${e}`],"segment.mirror":["Make a segm\
ent equal to an export",e=>`Make ${e} equal to an export`],"target.add":["Add to a campaign's devices",e=>`Add to ${e}`],"target.replace":["Replace a campaign's\
 devices",e=>`Replace ${e}`],"target.clear":["Clear a campaign's devices",e=>`Clear ${e}`],"target.mirror":["Make a campaign's devices equal to an export",e=>`M\
ake ${e} equal to an export`],"campaign.pause":["Pause creatives",e=>`Pause creatives of ${e}`],"campaign.resume":["Resume creatives",e=>`Resume creatives of ${e}`],
"campaign.budget":["Set a campaign's daily budget",e=>`Set the daily budget of ${e}`],"campaign.bid":["Set a campaign's maximum bid",e=>`Set the maximum bid of ${e}`],
"rules.evaluate":["Run rules",e=>`Run ${e}`],"device.forget":["Forget devices",()=>"Forget devices"]},yh=e=>po[e]?.[0]??e,bn=(e,t)=>(/\(removed\)/.test(e)?"":t?
`${t} (${e.replace(/^segment /,"")})`:e??"").replace(/^target /,"devices of ").replace(/^campaign /,""),_s=(e,t,n)=>po[e]&&/\S \S/.test(t??"")&&bn(t)?po[e][1](bn(
t,n)):yh(e),qe={queued:"Jobs that no worker has begun. A replayed job waits here again.",running:"Jobs that a worker carries out now.",retrying:"Jobs whose last\
 attempt failed, and whose next attempt has a time.",done:"Jobs that have ended, with every row counted.",failed:"Jobs whose last run has failed, whether or not\
 their dead letters were discarded since.",cancelled:"Jobs that were ended by a person. What the platform had taken before stays there.",letters:"Failed jobs th\
at wait for a person: neither replayed nor discarded.",rows:"Rows that all workers have read, per second, over the last ten seconds.",taken:"Jobs of this lane t\
hat run, or wait for their next attempt.",waiting:"Jobs of this lane that no worker has taken, or that were given back.",read:"Rows that were read from the expo\
rt, whatever became of them.",new:"Accepted ids that were no members of the audience before the job, by its ledger.",accepted:"Rows whose ids the platform has a\
ccepted; in a dry run, those that would be sent.",ids:"Ids that the audience holds: as usher's ledger counts them, otherwise as the platform said after the last\
 job.",change:"Ids that the last job which changed the audience has added and removed.",quality:"Rows of the last export that name no device, in percent of the \
rows read.",open:"Jobs of this audience that have not ended: queued, running, or waiting for their next attempt.",saved:"Spend of the days on which a creative w\
ould have been paused.",pauses:"Creatives that the rules would have paused.",held:"Changes that a limit or a guard would have held back.",missed:"Clicks and imp\
ressions of the days on which a creative would have been paused."},Ai={ACTIVE:"active",INACTIVE:"paused",PENDING:"waits for the platform's approval"},xh={released:"\
rules may change it"},Ut=e=>Ai[e]??xh[e]??e,kh={zero_id:"zero id",shared_id:"id that many devices share",other_id:"IMEI or MAC address",placeholder:"placeholder\
, such as null",macro:"macro that was not filled in",header:"repeated header",empty:"empty cell",spreadsheet:"changed by a spreadsheet",shape:"no id of a known \
shape",looks_hashed:"looks hashed",sha1:"SHA-1 hash",sha256:"SHA-256 hash",wrong_type:"id of another type",malformed:"cannot be parsed"},aa=e=>kh[e]??e.replaceAll(
"_"," "),vn={budget:"daily budget",bid:"maximum bid"},ho={segment:"Segment",campaign:"Campaign",profile:"Kind of ids",advertiser:"Advertiser","source.url":"File",
"source.column":"Column of ids","source.typeColumn":"Column of types","source.delimiter":"Delimiter","source.encoding":"Encoding","source.format":"Format","sour\
ce.sheet":"Sheet","source.skip":"Lines to skip","source.quote":"Quotes","source.escape":"Escapes","source.ids":"Ids","source.doneMarker":"Marker of a complete e\
xport","source.compression":"Compression","source.cut":"Read in parts","source.version":"Version of the file","source.incompleteLastRow":"If the last row is cut\
 off","source.anyVersion":"UUIDs of any version",reason:"Reason",actor:"By",deadline:"Deadline",asOf:"As of",rules:"Rule file",rule:"Rule",creatives:"Creatives",
force:"Despite its limits",dryRun:"Sends nothing",acceptChange:"Differences accepted",maxShift:"Shift of reasons allowed, in percent",maxRemovePercent:"Removals\
 allowed, in percent",maxRejectPercent:"Rejected rows allowed, in percent",maxShrinkPercent:"Shrinking allowed, in percent",maxMalformedPercent:"Unreadable rows\
 allowed, in percent"},Ha=e=>ho[e]??e,Mi=e=>e.replace(/\b[a-z]+(\.[a-zA-Z]+)+ on \/v3\/\S*: /,"").replace(/\b(?:junk|invalid)\.([a-z0-9_]+)/g,(t,n)=>aa(n)).replace(
/(^|[\s(])\/([a-zA-Z]+(?:\/[a-zA-Z]+)*)/g,(t,n,s)=>ho[s.replaceAll("/",".")]?`${n}“${ho[s.replaceAll("/",".")]}”`:t),_h={act:"acts",approve:"asks first",notify:"\
notifies",observe:"only records"},Cs=e=>_h[e]??e,tr=/\busher (api|auth|backup|bench|config|console|dead|demo|dev|doctor|feeds|hash|inspect|intake|jobs|lanes|ledger|limits|migrate|restore|rules|run|sandbox|submit|suppress)\b|(^|\s)--[a-z]|\bsubmit (it |the job )?again\b/,
Ch=/([;.:] )/;function nr(e){if(!tr.test(e))return e;let t=e.replace(/ ?\(([^()]*)\)/g,(o,r)=>tr.test(r)?"":o).replace(/, see [^,;]*/g,o=>tr.test(o)?"":o).split(
Ch),n="",s=!1;for(let o=0;o<t.length;o+=2)s=tr.test(t[o])||s&&t[o-1]===": ",s||(n+=(n&&t[o-1])+t[o]);return n.replace(/^(or|and|then) /,"").replace(/[;:.\s]+$/,
"")}var jh=new RegExp(Object.keys(ho).filter(e=>/[.A-Z]/.test(e)).sort((e,t)=>t.length-e.length).map(e=>`(?:--set |--)?\\b${e.replace(".","\\.")}\\b`).join("|"),
"g");function qc(e){let t=[],n=0;for(let s of e.matchAll(jh)){let o=s[0].replace(/^--(set )?/,"");t.push(e.slice(n,s.index),{name:o,title:ho[o]}),n=s.index+s[0].
length}return[...t,e.slice(n)]}var Hc=["cap","approval"],fo=e=>e.action==="held"&&Hc.includes(e.guard),js=e=>e.approvals?.length&&e.state!=="approved"?e.approvals.
at(-1).waiting.length+(e.leftOut?.length??0):e.guards?Hc.reduce((t,n)=>t+(e.guards[n]??0),0):e.counts?.held??0;var Uc=!0;function Ue({title:e,sub:t,crumb:n,acts:s,children:o}){let r=qt(null);return Ce(()=>{document.title=`${e} · usher`},[e]),Ce(()=>{Uc||(r.current?.focus(
{preventScroll:!0}),Nc()||window.scrollTo(0,0)),Uc=!1},[]),a`<div class="page">
    <div class="head">
      <div class="title">
        ${n&&a`<div class="crumb">${n}</div>`}
        <h1 tabindex="-1" ref=${r}>${e}</h1>
        ${t&&a`<div class="sub">${t}</div>`}
      </div>
      ${s&&a`<div class="acts">${s}</div>`}
    </div>
    ${o}
  </div>`}function Q({title:e,side:t,children:n,flush:s}){return a`<section class="card">
    ${e&&a`<div class="top"><h2>${e}</h2>${t}</div>`}
    <div class=${s?"flush":"body"}>${n}</div>
  </section>`}var Sh={done:"good",running:"info",retrying:"warn",queued:"",failed:"bad",cancelled:"",ACTIVE:"good",INACTIVE:"",PENDING:"warn"},Pi=e=>Sh[e]??"",sa=({
is:e})=>a`<span class="badge ${Pi(e)}" title=${Ai[e]?`the platform says ${e}`:qe[e]}>${Ut(e)}</span>`,Tn=({kind:e,target:t,name:n})=>a`<span title=${e}>${_s(e,t,
n)}</span>`,Ei=new Set;setInterval(()=>Ei.forEach(e=>e(pt())),5e3);function Ss(){let[e,t]=O(pt());return Ce(()=>(Ei.add(t),()=>Ei.delete(t)),[]),Math.max(e,pt()-
5e3)}function oe({at:e}){return Ss(),e?a`<time class="nowrap" datetime=${e} title=${It(e)}>${co(e)}</time>`:a`<span class="faint none">–</span>`}function Ts({
at:e}){let t=Ss();return a`<time datetime=${e} title=${It(e)}>since <span class="nowrap">${Mc(e)}</span>, <span class="nowrap">${co(e,t).replace(" ago","")}</span></time>`}
var Dt=({text:e})=>a`<span title=${Mi(e)===e?void 0:e}><${Tt} text=${Mi(e)} /></span>`,Ds=({l:e})=>e&&a`<div class="looking" role="status">
  ${e.error?a`<span class="bad-ink">Older jobs cannot be read: ${e.error}</span>`:a`<progress max=${e.of} value=${e.looked} aria-label="Jobs looked through"></progress><span>Looked through ${C(
e.looked)} of ${C(e.of)} jobs so far</span>`}</div>`,Rs=(e,t)=>t?e?C(e)+"+":"…":C(e),Re=({title:e,children:t})=>a`<div class="empty"><b>${e}</b>${t}</div>`,nn=()=>a`<div class="loading" role="status" aria-label="Loading"><i></i><i></i><i></i></div>`,
Th=({text:e})=>qc(e).map(t=>t.title?a`<span class="field-name" title=${t.name}>“${t.title}”</span>`:t),Dh=({text:e})=>e.split("`").map((t,n)=>n%2?a`<code>${t}</code>`:
a`<${Th} text=${t} />`),Tt=({text:e})=>typeof e=="string"?a`<${Dh} text=${nr(e)||e} />`:e;function oa({text:e,of:t,to:n}){let s=Fn[t],o=typeof e=="string"?nr(e):
e,r=s&&!(s.then==="Then replay."&&/\breplay\b/i.test(o))&&(o?s.then:s.todo),d=typeof e=="string"&&o!==e;return!o&&!r&&!d?null:a`<div class="hint">${o&&a`<${Tt} text=${o} />`}${o&&
r&&(/[.!?]$/.test(o)?" ":". ")}${r&&a`<${Rh} text=${r} to=${n} />`}
    ${d&&a`<details class="small"><summary>In the terminal</summary>${e.split("`").map((c,$)=>$%2?a`<code>${c}</code>`:c)}</details>`}</div>`}var xa=({children:e})=>a`<details class="small"><summary>In the terminal</summary><code>${e}</code></details>`;
function Rh({text:e,to:t}){let[n,...s]=e.split("Fix and replay");return!t||s.length===0?e:a`${n}<a href=${t}>Fix and replay</a>${s.join("Fix and replay")}`}function Xt({
says:e,retry:t}){return a`<div class="callout bad" role="alert"><div><div class="says">Loading failed</div><${oa} text=${e} /></div>
    ${t&&a`<button class="small" onClick=${t}>Try again</button>`}</div>`}function ue({level:e="",says:t,hint:n,of:s,to:o,where:r,children:d}){let c=a`<div><div class="says"><${Tt} text=${t} /></div>${r?
n&&a`<div class="hint"><${Tt} text=${n} /></div>`:a`<${oa} text=${n} of=${s} to=${o} />`}${d}</div>`;return r?a`<a class="callout ${e}" href=${r}>${c}</a>`:a`<div class="callout ${e}">${c}</div>`}
function ht({result:e,children:t}){return e.data?a`${e.error&&!e.lost&&a`<${Xt} says=${e.error} retry=${e.reload} />`}${t(e.data)}`:e.error?a`<${Xt} says=${e.error} retry=${e.
reload} />`:a`<div class="card"><${nn} /></div>`}var _t=({name:e,value:t,unit:n,note:s,href:o,bad:r,meaning:d})=>{let c=a`<div class="name">${e}</div><div class="value ${r?
"bad-ink":""}">${t}${n&&a` <small>${n}</small>`}</div>${s&&a`<div class="note">${s}</div>`}`;return o?a`<a class="figure" href=${o} title=${d}>${c}</a>`:a`<div class="figure" title=${d}>${c}</div>`};
function Dn({value:e,onText:t,label:n}){let[s,o]=O(e??""),r=qt(0);return Ce(()=>o(e??""),[e]),a`<input type="search" value=${s} placeholder=${n} aria-label=${n} onInput=${d=>{
o(d.target.value),clearTimeout(r.current);let c=d.target.value;r.current=setTimeout(()=>t(c),250)}} />`}var Kn=({value:e,onPick:t,label:n,options:s})=>a`<select aria-label=${n} value=${e??
""} onChange=${o=>t(o.target.value)}>
  ${s.map(([o,r])=>a`<option value=${o} selected=${o===(e??"")}>${r}</option>`)}</select>`,ka=({value:e,onPick:t,options:n,label:s})=>a`<div class="tabs" role="group" aria-label=${s}>
  ${n.map(([o,r,d,c])=>a`<button title=${c} aria-pressed=${o===(e??"")} onClick=${()=>t(o)}>${r}${d!==void 0&&a` <small>${typeof d=="number"?C(d):d}</small>`}</button>`)}</div>`;
function Ve({title:e,act:t,dismiss:n="Cancel",danger:s,wide:o,onAct:r,onClose:d,ready:c=!0,children:$}){let w=qt(null),[T,E]=O(!1),[v,j]=O("");return Ce(()=>{let q=document.
activeElement,re=w.current;return re.showModal(),(re.querySelector("[data-first]")??re.querySelector("input,textarea,select"))?.focus(),()=>{re.close(),q?.focus?.()}},
[]),a`<dialog ref=${w} class=${o?"wide":""} aria-label=${e} onCancel=${q=>{q.preventDefault(),d()}}
      onMouseDown=${q=>q.target===w.current&&d()}>
    <form onSubmit=${async q=>{if(q.preventDefault(),!(T||!c)){E(!0),j("");try{await r(),d()}catch(re){j(re.message),E(!1)}}}}>
      <header><h2>${e}</h2></header>
      <div class="inside">${$}${v&&a`<div class="callout bad" role="alert"><${oa} text=${v} /></div>`}</div>
      <footer>
        <button type="button" onClick=${d}>${t?n:"Close"}</button>
        ${t&&a`<button type="submit" class=${s?"danger solid":"primary"} disabled=${T||!c}>${T?"…":t}</button>`}
      </footer>
    </form>
  </dialog>`}var Oe=({name:e,hint:t,children:n})=>a`<label class="field"><span>${e}</span>${n}${t&&a`<small>${t}</small>`}</label>`,Bc=()=>{},Ye=(e,t)=>Bc({text:nr(
e)||e,bad:t,key:Math.random()});function Jc(){let[e,t]=O([]);return Bc=n=>{t(s=>[...s.slice(-3),n]),setTimeout(()=>t(s=>s.filter(o=>o!==n)),n.bad?9e3:5e3)},a`<div class="toasts" role="status" aria-live="polite">${e.
map(n=>a`<div class="toast ${n.bad?"bad":""}" key=${n.key}>${n.text}</div>`)}</div>`}var Kc=(e,t)=>{try{localStorage.setItem(e,t)}catch{}},Ii=e=>{try{return localStorage.getItem(e)}catch{return null}},Gc="(prefers-color-scheme: dark)",As=()=>(document.
documentElement.dataset.theme??(matchMedia(Gc).matches?"dark":"light"))==="dark";function sr(e){let t=matchMedia(Gc);return t.addEventListener("change",e),window.
addEventListener("theme",e),()=>{t.removeEventListener("change",e),window.removeEventListener("theme",e)}}function Vc(e){document.documentElement.dataset.theme=
e,window.dispatchEvent(new Event("theme"))}function Ms(){let e=As()?"light":"dark";Vc(e),Kc("theme",e)}var ar=()=>document.documentElement.dataset.rows==="compa\
ct";function Yc(e){e?document.documentElement.dataset.rows="compact":delete document.documentElement.dataset.rows}function or(){Yc(!ar()),Kc("rows",ar()?"compac\
t":"roomy")}function Zc(){Ii("theme")&&Vc(Ii("theme")),Yc(Ii("rows")==="compact")}var Ah=12,_a=e=>()=>{location.hash=e},Mh=e=>[...uo.map(([t,n,s])=>({name:s,kind:"page",key:`g ${t}`,act:_a("#/"+n)})),{name:"Backtest of rules",kind:"page",act:_a(
"#/rules/backtest")},{name:"Failed jobs",kind:"page",act:_a("#/jobs?state=failed")},{name:"Audiences with problems",kind:"page",act:_a("#/audiences?only=problem\
s")},{name:As()?"Light colours":"Dark colours",kind:"setting",key:"t",act:Ms},{name:Sn()?"Times in this computer's zone":"Times in UTC",kind:"setting",key:"d",act:()=>ws(
!Sn())},{name:ar()?"Roomy rows":"Compact rows",kind:"setting",key:"z",act:or},{name:"Keys",kind:"help",key:"?",act:e}];function Xc({onClose:e,onHelp:t}){let n=qt(
null),[s,o]=O(""),[r,d]=O(0),[c,$]=O([]);Ce(()=>{let v=document.activeElement;return n.current.showModal(),Ln("/api/audiences").then(({audiences:j})=>$(U=>[...U,
...j.map(q=>({name:q.target,kind:"audience",act:_a(se("audiences",q.target))}))]),()=>{}),Ln("/api/campaigns").then(({campaigns:j})=>$(U=>[...U,...j.map(q=>({name:q.
code,kind:"campaign",act:_a(se("campaigns",q.code))}))]),()=>{}),()=>v?.isConnected&&v.focus?.({preventScroll:!0})},[]);let w=Yt(()=>{let v=s.toLowerCase().split(
/\s+/).filter(Boolean),j=[...Mh(t),...c].filter(U=>v.every(q=>`${U.name} ${U.kind}`.toLowerCase().includes(q))).slice(0,Ah);return/^\S+$/.test(s.trim())&&j.push(
{name:`Open the job ${s.trim()}`,kind:"job",act:_a(se("jobs",s.trim()))}),s.trim()&&j.push({name:`Search jobs for “${s.trim()}”`,kind:"search",act:_a("#/job\
s?text="+encodeURIComponent(s.trim()))}),j},[s,c]),T=v=>{e(),v?.act()},E=v=>{let j={ArrowDown:1,ArrowUp:-1}[v.key];j&&(v.preventDefault(),d((r+j+w.length)%w.length)),
v.key==="Enter"&&(v.preventDefault(),T(w[r]))};return a`<dialog ref=${n} class="palette" aria-label="Find" onCancel=${v=>{v.preventDefault(),e()}} onMouseDown=${v=>v.
target===n.current&&e()}>
    <input type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant=${`found-${r}`} aria-label="Find a page, an audience, a campaign or a job" placeholder="Find a page, an audience, a campaign or a job …"
      autofocus value=${s} onInput=${v=>{o(v.target.value),d(0)}} onKeyDown=${E} />
    <ul role="listbox" id="found" aria-label="Found">${w.map((v,j)=>a`<li role="option" id=${`found-${j}`} aria-selected=${j===r} onMouseMove=${()=>d(j)} onClick=${()=>T(
v)}><span>${v.name}</span><span class="faint small">${v.key?a`<kbd>${v.key}</kbd>`:v.kind}</span></li>`)}</ul>
  </dialog>`}var Eh=/Mac|iPhone|iPad/.test(navigator.platform),Ph=[[Eh?"⌘ K":"Ctrl K","Find a page, an audience, a campaign or a job"],["/","Search on this page"],["j  k",
"Next and previous row"],["Enter","Open the row"],["x","Select the row"],["Esc","Close what is open"],...uo.map(([e,,t])=>[`g ${e}`,t]),["z","Compact rows, or r\
oomy ones"],["t","Light or dark colours"],["d","Times in UTC, or in this computer's zone"],["?","These keys"]],Ih=e=>e.target.closest?.("input:not([type=checkbo\
x]), textarea, select, [contenteditable]"),Oh=()=>[...document.querySelectorAll("main tbody tr, main .incident")].filter(e=>e.offsetParent!==null);function Qc(e){
let t=Oh();if(t.length===0)return;let n=t.findIndex(r=>r.classList.contains("at")),s=t[n<0?e>0?0:t.length-1:Math.min(Math.max(n+e,0),t.length-1)];t.forEach(r=>r.
classList.toggle("at",r===s)),(s.querySelector("a.id, button.id")??s.querySelector("a, button"))?.focus({preventScroll:!0}),s.scrollIntoView({block:"nearest"})}
var zh=()=>document.querySelector("main .at input[type=checkbox]")?.click(),Lh=()=>document.querySelector("main input[type=search]")?.focus();function eu(){let[
e,t]=O("");Ce(()=>{let s=0,o=r=>{if((r.ctrlKey||r.metaKey)&&!r.altKey&&r.key.toLowerCase()==="k"){r.preventDefault(),t("palette");return}if(r.ctrlKey||r.metaKey||
r.altKey||Ih(r)||document.querySelector("dialog[open]"))return;let d=Date.now()-s<1500&&uo.find(([$])=>$===r.key);if(s=0,d){location.hash="#/"+d[1];return}let c={
g:()=>{s=Date.now()},"/":Lh,"?":()=>t("help"),j:()=>Qc(1),k:()=>Qc(-1),x:zh,z:or,t:Ms,d:()=>ws(!Sn())}[r.key];c&&(r.preventDefault(),c())};return window.addEventListener(
"keydown",o),()=>window.removeEventListener("keydown",o)},[]);let n=()=>t("");return e==="palette"?a`<${Xc} onClose=${n} onHelp=${()=>t("help")} />`:e==="help"&&
a`<${Ve} title="Keys" onClose=${n}><dl class="facts keys">${Ph.map(([s,o])=>a`<dt><kbd>${s}</kbd></dt><dd>${o}</dd>`)}</dl><//>`}function nu(e){let[t,n]=O(Date.now());Ce(()=>{let U=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(U)},[]);let{state:s,heard:o,cut:r}=er(),d=(s?.services??
[]).filter(U=>U.since),[c="",$]=e,w=c===""||c==="jobs"&&!$,T=c==="campaigns"?["NATS","Platform"]:["NATS"],E=d.filter(U=>T.includes(U.name)),v=s&&new Date(w&&!s.
figures.startsWith("0001")?s.figures:E.length?E[0].since:s.at),j=v?(new Date(s.at)-v+t-o)/1e3:0;return{state:s,lost:d,cut:r,heard:o,asOf:v,age:Math.max(0,j),stale:r||
E.length>0,well:!r&&d.length===0}}function au({status:{state:e,lost:t,cut:n,heard:s,asOf:o,age:r,stale:d}}){if(!e)return a`<div class="status"><span class="faint">${n?
"usher does not respond":"Connecting …"}</span></div>`;let c=t.some(w=>w.name==="NATS"),$=w=>n||c&&w.name==="NATS writes"?"":w.since?"off":"on";return a`<div class="status">
      ${e.services.map(w=>a`<span key=${w.name} class="service ${$(w)}"><i></i>${w.name}<span class="sr">${{on:" works",off:" is lost"}[$(w)]??" unknown"}</span></span>`)}
      <span class="nowrap">${F(e.workers,"worker")}${e.workers>0&&a`, <span title="when the worker that was silent for longest sent its heartbeat">heard ${Math.
round(e.oldest)} s ago</span>`}</span>
      <span class="asof nowrap" title=${o&&It(o)}>as of ${d?ln(o):Math.round(r)+" s"}</span>
    </div>
    <div class="lost" role="alert">
      ${n&&a`<${tu} key="page" says=${`This page has no connection to usher since ${ln(s)}; figures are from ${ln(Math.min(s,o))}.`}
        hint="It connects again by itself. If it does not: is usher running, and can this computer reach it?" />`}
      ${!n&&t.map(w=>a`<${tu} key=${w.name} hint=${w.hint} why=${w.why}
        says=${`${w.says} since ${ln(w.since)}${d?`; figures are from ${ln(o)}`:""}.`} />`)}
    </div>`}var tu=({says:e,why:t,hint:n})=>a`<div class="callout bad"><div><div class="says">${e}</div><${oa} text=${n} />${t&&a`<div class="faint small"><${Dt} text=${t} /></div>`}</div></div>`;function su({why:e,onIn:t}){let[n,s]=O(""),[o,r]=O(!1),[d,c]=O(""),[$,w]=O(""),T=Le.ways??[],E=async(j,U)=>{r(!0),s("");try{await Ie(j,U),await t()}catch(q){s(q.
message),r(!1)}},v=()=>{let{names:j}=na();return j[0]!=="login"||!j[1]?!1:(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")),E("/\
api/login/link",{Token:j[1]}),!0)};return Ce(()=>(document.title="Log in · usher",window.addEventListener("hashchange",v),!v()&&T.includes("proxy")&&E("/api/lo\
gin/proxy",{}),Le.ways?.length||xs().catch(j=>s(j.message)),()=>window.removeEventListener("hashchange",v)),[]),Ce(()=>{if(Le.absent!=="unread")return;let j=setInterval(
()=>t().catch(()=>{}),2e3);return()=>clearInterval(j)},[e]),a`<div class="login"><div class="box">
    <div class="brand">${cn.brand}usher</div>
    <p class="soft" role="status">${e??"Log in to see what usher does."}</p>
    ${T.includes("password")&&a`<form onSubmit=${j=>{j.preventDefault(),E("/api/login",{User:d,Password:$})}}>
      <${Oe} name="Name"><input type="text" autocomplete="username" required autofocus value=${d} onInput=${j=>c(j.target.value)} /><//>
      <${Oe} name="Password"><input type="password" autocomplete="current-password" required value=${$} onInput=${j=>w(j.target.value)} /><//>
      <button class="primary" disabled=${o}>${o?"Logging in …":"Log in"}</button>
    </form>`}
    ${T.includes("link")&&a`<p class="soft">${o?"Logging in …":"Open the link that usher printed when it started. It logs in one browser, once; the next link \
is in usher's log."}</p>`}
    ${T.includes("proxy")&&a`<button disabled=${o} onClick=${()=>E("/api/login/proxy",{})}>Log in through the proxy</button>`}
    ${n&&a`<div class="callout bad" role="alert"><div>${n}</div></div>`}
  </div></div>`}function Ua(e){let t=e.consequence;return t?`${e.dryRun?"would be ":""}+${C(t.added)}, −${C(t.removed)}, ${e.dryRun?"then":"now"} ${C(t.now)}`:e.new===void 0?
"":`+${C(e.new)} of ${C(e.accepted)} accepted`}var Fh=e=>Object.entries(e??{}).sort((t,n)=>n[1]-t[1]).map(([t,n])=>`${C(n)} ${aa(t)}`).join(", ");function Es({r:e}){
let t=Ua(e),n=Fh(e.rejected);return a`${t&&a`<span class=${e.consequence?.large?"bad-ink":""}>${t}</span>`}${t&&n&&"; "}${n&&a`rejected: ${n}`}`}var Nh=(function(){"use strict";let e="u-off",t="u-label",n="width",s="height",r="bottom",d="left",c="right",$="#000",w=$+"0",T="mousemove",E="mousedown",v="mou\
seup",j="mouseenter",U="mouseleave",q="dblclick",re="change",ye="dppxchange",de="--",at=typeof window<"u",Pe=at?document:null,Ke=at?window:null,ie=at?navigator:
null,be,un;function Ot(i,u){if(u!=null){let m=i.classList;!m.contains(u)&&m.add(u)}}function an(i,u){let m=i.classList;m.contains(u)&&m.remove(u)}function Fe(i,u,m){
i.style[u]=m+"px"}function Rn(i,u,m,p){let g=Pe.createElement(i);return u!=null&&Ot(g,u),m?.insertBefore(g,p),g}function wn(i,u){return Rn("div",i,u)}let dl=new WeakMap;
function Nn(i,u,m,p,g){let k="translate("+u+"px,"+m+"px)";k!=dl.get(i)&&(i.style.transform=k,dl.set(i,k),0>u||0>m||u>p||m>g?Ot(i,e):an(i,e))}let cl=new WeakMap;
function ul(i,u,m){let p=u+m;p!=cl.get(i)&&(cl.set(i,p),i.style.background=u,i.style.borderColor=m)}let pl=new WeakMap;function hl(i,u,m,p){let g=u+""+m;g!=pl.get(
i)&&(pl.set(i,g),i.style.height=m+"px",i.style.width=u+"px",i.style.marginLeft=p?-u/2+"px":0,i.style.marginTop=p?-m/2+"px":0)}let br={passive:!0},rp={...br,capture:!0};
function Ta(i,u,m,p){u.addEventListener(i,m,p?rp:br)}function vr(i,u,m){u.removeEventListener(i,m,br)}function An(i,u,m,p){let g;m=m||0;let k=2147483647>=(p=p||
u.length-1);for(;p-m>1;)g=k?m+p>>1:hn((m+p)/2),i>u[g]?m=g:p=g;return i-u[m]>u[p]-i?p:m}function fl(i){return(u,m,p)=>{let g=-1,k=-1;for(let y=m;p>=y;y++)if(i(u[y])){
g=y;break}for(let y=p;y>=m;y--)if(i(u[y])){k=y;break}return[g,k]}}at&&(function i(){let u=devicePixelRatio;be!=u&&(be=u,un&&vr(re,un,i),un=matchMedia(`(min-reso\
lution: ${be-.001}dppx) and (max-resolution: ${be+.001}dppx)`),Ta(re,un,i),Ke.dispatchEvent(new CustomEvent(ye)))})();let ml=i=>i!=null,$l=i=>i!=null&&i>0,wo=fl(
ml),ip=fl($l);function yo(i,u,m,p){let g=vl(i),k=vl(u);i==u&&(g==-1?(i*=m,u/=m):(i/=m,u*=m));let y=m==10?Gn:wl,D=k==1?yn:hn,A=(g==1?hn:yn)(y(Ct(i))),R=D(y(Ct(u))),
P=Va(m,A),_=Va(m,R);return m==10&&(0>A&&(P=Xe(P,-A)),0>R&&(_=Xe(_,-R))),p||m==2?(i=P*g,u=_*k):(i=Sl(i,P),u=_o(u,_)),[i,u]}function wr(i,u,m,p){let g=yo(i,u,m,p);
return i==0&&(g[0]=0),u==0&&(g[1]=0),g}let yr=.1,gl={mode:3,pad:yr},Bs={pad:0,soft:null,mode:0},lp={min:Bs,max:Bs};function xo(i,u,m,p){return Co(m)?bl(i,u,m):(Bs.
pad=m,Bs.soft=p?0:null,Bs.mode=p?3:0,bl(i,u,lp))}function Ne(i,u){return i??u}function bl(i,u,m){let p=m.min,g=m.max,k=Ne(p.pad,0),y=Ne(g.pad,0),D=Ne(p.hard,-Ze),
A=Ne(g.hard,Ze),R=Ne(p.soft,Ze),P=Ne(g.soft,-Ze),_=Ne(p.mode,0),W=Ne(g.mode,0),Z=u-i,J=Gn(Z),Y=en(Ct(i),Ct(u)),ve=Gn(Y),ce=Ct(ve-J);(1e-24>Z||ce>10)&&(Z=0,i!=0&&
u!=0||(Z=1e-24,_==2&&R!=Ze&&(k=0),W==2&&P!=-Ze&&(y=0)));let H=Z||Y||1e3,$e=Gn(H),G=Va(10,hn($e)),ee=Xe(Sl(i-H*(Z==0?i==0?.1:1:k),G/10),24),K=R>i||_!=1&&(_!=3||ee>
R)&&(_!=2||R>ee)?Ze:R,xe=en(D,K>ee&&i>=K?K:Mn(K,ee)),ke=Xe(_o(u+H*(Z==0?u==0?.1:1:y),G/10),24),Te=u>P||W!=1&&(W!=3||P>ke)&&(W!=2||ke>P)?-Ze:P,Ae=Mn(A,ke>Te&&Te>=
u?Te:en(Te,ke));return xe==Ae&&xe==0&&(Ae=100),[xe,Ae]}let dp=new Intl.NumberFormat(at?ie.language:"en-US"),xr=i=>dp.format(i),pn=Math,ko=pn.PI,Ct=pn.abs,hn=pn.
floor,jt=pn.round,yn=pn.ceil,Mn=pn.min,en=pn.max,Va=pn.pow,vl=pn.sign,Gn=pn.log10,wl=pn.log2,kr=(i,u=1)=>pn.asinh(i/u),Ze=1/0;function yl(i){return 1+(0|Gn((i^i>>
31)-(i>>31)))}function _r(i,u,m){return Mn(en(i,u),m)}function xl(i){return typeof i=="function"}function Ee(i){return xl(i)?i:()=>i}let kl=i=>i,_l=(i,u)=>u,cp=()=>null,
Cl=()=>!0,jl=(i,u)=>i==u,up=/\.\d*?(?=9{6,}|0{6,})/gm,Da=i=>{if(Dl(i)||ia.has(i))return i;let u=""+i,m=u.match(up);if(m==null)return i;let p=m[0].length-1;if(u.
indexOf("e-")!=-1){let[g,k]=u.split("e");return+`${Da(g)}e${k}`}return Xe(i,p)};function Ra(i,u){return Da(Xe(Da(i/u))*u)}function _o(i,u){return Da(yn(Da(i/u))*
u)}function Sl(i,u){return Da(hn(Da(i/u))*u)}function Xe(i,u=0){if(Dl(i))return i;let m=10**u;return jt(i*m*(1+Number.EPSILON))/m}let ia=new Map;function Tl(i){
return((""+i).split(".")[1]||"").length}function Js(i,u,m,p){let g=[],k=p.map(Tl);for(let y=u;m>y;y++){let D=Ct(y),A=Xe(Va(i,y),D);for(let R=0;p.length>R;R++){let P=i==
10?+`${p[R]}e${y}`:p[R]*A,_=(0>y?D:0)+(k[R]>y?k[R]:0),W=i==10?P:Xe(P,_);g.push(W),ia.set(W,_)}}return g}let Ks={},Cr=[],Ya=[null,null],la=Array.isArray,Dl=Number.
isInteger;function Rl(i){return typeof i=="string"}function Co(i){let u=!1;if(i!=null){let m=i.constructor;u=m==null||m==Object}return u}function pp(i){return i!=
null&&typeof i=="object"}let hp=Object.getPrototypeOf(Uint8Array),Al="__proto__";function Za(i,u=Co){let m;if(la(i)){let p=i.find((g=>g!=null));if(la(p)||u(p)){
m=Array(i.length);for(let g=0;i.length>g;g++)m[g]=Za(i[g],u)}else m=i.slice()}else if(i instanceof hp)m=i.slice();else if(u(i)){m={};for(let p in i)p!=Al&&(m[p]=
Za(i[p],u))}else m=i;return m}function wt(i){let u=arguments;for(let m=1;u.length>m;m++){let p=u[m];for(let g in p)g!=Al&&(Co(i[g])?wt(i[g],Za(p[g])):i[g]=Za(p[g]))}
return i}function fp(i,u,m){for(let p,g=0,k=-1;u.length>g;g++){let y=u[g];if(y>k){for(p=y-1;p>=0&&i[p]==null;)i[p--]=null;for(p=y+1;m>p&&i[p]==null;)i[k=p++]=null}}}
let mp=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask,Ml=["January","February","March","April","May","June","July","August","September","\
October","November","December"],El=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Pl(i){return i.slice(0,3)}let $p=El.map(Pl),
gp=Ml.map(Pl),bp={MMMM:Ml,MMM:gp,WWWW:El,WWW:$p};function Gs(i){return(10>i?"0":"")+i}let vp={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,u)=>u.
MMMM[i.getMonth()],MMM:(i,u)=>u.MMM[i.getMonth()],MM:i=>Gs(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>Gs(i.getDate()),D:i=>i.getDate(),WWWW:(i,u)=>u.WWWW[i.getDay()],
WWW:(i,u)=>u.WWW[i.getDay()],HH:i=>Gs(i.getHours()),H:i=>i.getHours(),h:i=>{let u=i.getHours();return u==0?12:u>12?u-12:u},AA:i=>12>i.getHours()?"AM":"PM",aa:i=>12>
i.getHours()?"am":"pm",a:i=>12>i.getHours()?"a":"p",mm:i=>Gs(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>Gs(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>(function(u){
return(10>u?"00":100>u?"0":"")+u})(i.getMilliseconds())};function jr(i,u){u=u||bp;let m,p=[],g=/\{([a-z]+)\}|[^{]+/gi;for(;m=g.exec(i);)p.push(m[0][0]=="{"?vp[m[1]]:
m[0]);return k=>{let y="";for(let D=0;p.length>D;D++)y+=typeof p[D]=="string"?p[D]:p[D](k,u);return y}}let wp=new Intl.DateTimeFormat().resolvedOptions().timeZone,
Il=i=>i%1==0,jo=[1,2,2.5,5],yp=Js(10,-32,0,jo),Ol=Js(10,0,32,jo),xp=Ol.filter(Il),Aa=yp.concat(Ol),zl="{YYYY}",Ll=`
`+zl,Fl="{M}/{D}",Vs=`
`+Fl,So=Vs+"/{YY}",Nl="{aa}",Xa="{h}:{mm}"+Nl,Wl=`
`+Xa,ql=":{ss}",Be=null;function Hl(i){let u=1e3*i,m=60*u,p=60*m,g=24*p,k=30*g,y=365*g;return[(i==1?Js(10,0,3,jo).filter(Il):Js(10,-3,0,jo)).concat([u,5*u,10*u,
15*u,30*u,m,5*m,10*m,15*m,30*m,p,2*p,3*p,4*p,6*p,8*p,12*p,g,2*g,3*g,4*g,5*g,6*g,7*g,8*g,9*g,10*g,15*g,k,2*k,3*k,4*k,6*k,y,2*y,5*y,10*y,25*y,50*y,100*y]),[[y,zl,
Be,Be,Be,Be,Be,Be,1],[28*g,"{MMM}",Ll,Be,Be,Be,Be,Be,1],[g,Fl,Ll,Be,Be,Be,Be,Be,1],[p,"{h}"+Nl,So,Be,Vs,Be,Be,Be,1],[m,Xa,So,Be,Vs,Be,Be,Be,1],[u,ql,So+" "+Xa,Be,
Vs+" "+Xa,Be,Wl,Be,1],[i,ql+".{fff}",So+" "+Xa,Be,Vs+" "+Xa,Be,Wl,Be,1]],function(D){return(A,R,P,_,W,Z)=>{let J=[],Y=W>=y,ve=W>=k&&y>W,ce=D(P),H=Xe(ce*i,3),$e=Sr(
ce.getFullYear(),Y?0:ce.getMonth(),ve||Y?1:ce.getDate()),G=Xe($e*i,3);if(ve||Y){let ee=ve?W/k:0,K=Y?W/y:0,xe=H==G?H:Xe(Sr($e.getFullYear()+K,$e.getMonth()+ee,1)*
i,3),ke=new Date(jt(xe/i)),Te=ke.getFullYear(),Ae=ke.getMonth();for(let X=0;_>=xe;X++){let ae=Sr(Te+K*X,Ae+ee*X,1),fe=ae-D(Xe(ae*i,3));xe=Xe((+ae+fe)*i,3),xe>_||
J.push(xe)}}else{let ee=g>W?W:g,K=G+(hn(P)-hn(H))+_o(H-G,ee);J.push(K);let xe=D(K),ke=xe.getHours()+xe.getMinutes()/m+xe.getSeconds()/p,Te=W/p,Ae=Z/A.axes[R]._space;
for(;K=Xe(K+W,i==1?0:3),_>=K;)if(Te>1){let X=hn(Xe(ke+Te,6))%24,ae=D(K).getHours()-X;ae>1&&(ae=-1),K-=ae*p,ke=(ke+Te)%24,.7>Xe((K-J[J.length-1])/W,3)*Ae||J.push(
K)}else J.push(K)}return J}}]}let[kp,_p,Cp]=Hl(1),[jp,Sp,Tp]=Hl(.001);function Ul(i,u){return i.map((m=>m.map(((p,g)=>g==0||g==8||p==null?p:u(g==1||m[8]==0?p:m[1]+
p)))))}function Bl(i,u){return(m,p,g,k,y)=>{let D,A,R,P,_,W,Z=u.find((J=>y>=J[0]))||u[u.length-1];return p.map((J=>{let Y=i(J),ve=Y.getFullYear(),ce=Y.getMonth(),
H=Y.getDate(),$e=Y.getHours(),G=Y.getMinutes(),ee=Y.getSeconds(),K=ve!=D&&Z[2]||ce!=A&&Z[3]||H!=R&&Z[4]||$e!=P&&Z[5]||G!=_&&Z[6]||ee!=W&&Z[7]||Z[1];return D=ve,
A=ce,R=H,P=$e,_=G,W=ee,K(Y)}))}}function Sr(i,u,m){return new Date(i,u,m)}function Jl(i,u){return u(i)}function Kl(i,u){return(m,p,g,k)=>k==null?de:u(i(p))}Js(2,
-53,53,[1]);let Dp={show:!0,live:!0,isolate:!1,mount:()=>{},markers:{show:!0,width:2,stroke:function(i,u){let m=i.series[u];return m.width?m.stroke(i,u):m.points.
width?m.points.stroke(i,u):null},fill:function(i,u){return i.series[u].fill(i,u)},dash:"solid"},idx:null,idxs:null,values:[]},Tr=[0,0];function To(i,u,m,p=!0){return g=>{
g.button==0&&(!p||g.target==u)&&m(g)}}function Dr(i,u,m,p=!0){return g=>{(!p||g.target==u)&&m(g)}}let Rp={show:!0,x:!0,y:!0,lock:!1,move:function(i,u,m){return Tr[0]=
u,Tr[1]=m,Tr},points:{one:!1,show:function(i,u){let m=i.cursor.points,p=wn(),g=m.size(i,u);Fe(p,n,g),Fe(p,s,g);let k=g/-2;Fe(p,"marginLeft",k),Fe(p,"marginTop",
k);let y=m.width(i,u,g);return y&&Fe(p,"borderWidth",y),p},size:function(i,u){return i.series[u].points.size},width:0,stroke:function(i,u){let m=i.series[u].points;
return m._stroke||m._fill},fill:function(i,u){let m=i.series[u].points;return m._fill||m._stroke}},bind:{mousedown:To,mouseup:To,click:To,dblclick:To,mousemove:Dr,
mouseleave:Dr,mouseenter:Dr},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,u)=>{u.stopPropagation(),u.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,u,m,p,g)=>p-
g,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Gl={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},
Rr=wt({},Gl,{filter:_l}),Vl=wt({},Rr,{size:10}),Yl=wt({},Gl,{show:!1}),Ar='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto San\
s", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Zl="bold "+Ar,Xl={show:!0,scale:"x",stroke:$,space:50,gap:5,alignTo:1,
size:50,labelGap:0,labelSize:30,labelFont:Zl,side:2,grid:Rr,ticks:Vl,border:Yl,font:Ar,lineGap:1.5,rotate:0},Ql={show:!0,scale:"x",auto:!1,sorted:1,min:Ze,max:-Ze,
idxs:[]};function Ap(i,u){return u.map((m=>m==null?"":xr(m)))}function Mp(i,u,m,p,g,k,y){let D=[],A=ia.get(g)||0;for(let R=m=y?m:Xe(_o(m,g),A);p>=R;R=Xe(R+g,A))
D.push(Object.is(R,-0)?0:R);return D}function Mr(i,u,m,p,g){let k=[],y=i.scales[i.axes[u].scale].log,D=hn((y==10?Gn:wl)(m));g=Va(y,D),y==10&&(g=Aa[An(g,Aa)]);let A=m,
R=g*y;y==10&&(R=Aa[An(R,Aa)]);do k.push(A),A+=g,y!=10||ia.has(A)||(A=Xe(A,ia.get(g))),R>A||(R=(g=A)*y,y==10&&(R=Aa[An(R,Aa)]));while(p>=A);return k}function Ep(i,u,m,p,g){
let k=i.scales[i.axes[u].scale].asinh,y=p>k?Mr(i,u,en(k,m),p,g):[k],D=0>p||m>0?[]:[0];return(-k>m?Mr(i,u,en(k,-p),-m,g):[k]).reverse().map((A=>-A)).concat(D,y)}
let ed=/./,Pp=/[12357]/,Ip=/[125]/,td=/1/,Er=(i,u,m,p)=>i.map(((g,k)=>u==4&&g==0||k%p==0&&m.test(g.toExponential()[0>g?1:0])?g:null));function Op(i,u,m){let p=i.
axes[m],g=p.scale,k=i.scales[g],y=i.valToPos,D=p._space,A=y(10,g),R=y(9,g)-A<D?y(7,g)-A<D?y(5,g)-A<D?td:Ip:Pp:ed;if(R==td){let P=Ct(y(1,g)-A);if(D>P)return Er(u.
slice().reverse(),k.distr,R,yn(D/P)).reverse()}return Er(u,k.distr,R,1)}function zp(i,u,m){let p=i.axes[m],g=p.scale,k=p._space,y=i.valToPos,D=Ct(y(1,g)-y(2,g));
return k>D?Er(u.slice().reverse(),3,ed,yn(k/D)).reverse():u}function Lp(i,u,m,p){return p==null?de:u==null?"":xr(u)}let nd={show:!0,scale:"y",stroke:$,space:30,
gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Zl,side:3,grid:Rr,ticks:Vl,border:Yl,font:Ar,lineGap:1.5,rotate:0},ad={scale:null,auto:!0,sorted:0,min:Ze,
max:-Ze},sd=(i,u,m,p,g)=>g,od={show:!0,auto:!0,sorted:0,gaps:sd,alpha:1,facets:[wt({},ad,{scale:"x"}),wt({},ad,{scale:"y"})]},rd={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:sd,alpha:1,points:{show:function(i,u){let{scale:m,idxs:p}=i.series[0],g=i._data[0],k=i.valToPos(g[p[0]],m,!0),y=i.valToPos(g[p[1]],m,!0);return Ct(
y-k)/(i.series[u].points.space*be)>=p[1]-p[0]},filter:null},values:null,min:Ze,max:-Ze,idxs:[],path:null,clip:null};function Fp(i,u,m){return m/10}let id={time:!0,
auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Np=wt({},id,{time:!1,ori:1}),ld={};function dd(i){let u=ld[i];return u||(u={key:i,plots:[],sub(m){
u.plots.push(m)},unsub(m){u.plots=u.plots.filter((p=>p!=m))},pub(m,p,g,k,y,D,A){for(let R=0;u.plots.length>R;R++)u.plots[R]!=p&&u.plots[R].pub(m,p,g,k,y,D,A)}},
i!=null&&(ld[i]=u)),u}function Ma(i,u,m){let p=i.mode,g=i.series[u],k=p==2?i._data[u]:i._data,y=i.scales,D=i.bbox,A=k[0],R=p==2?k[1]:k[u],P=p==2?y[g.facets[0].scale]:
y[i.series[0].scale],_=p==2?y[g.facets[1].scale]:y[g.scale],W=D.left,Z=D.top,J=D.width,Y=D.height,ve=i.valToPosH,ce=i.valToPosV;return P.ori==0?m(g,A,R,P,_,ve,ce,
W,Z,J,Y,Ro,Qa,Mo,pd,fd):m(g,A,R,P,_,ce,ve,Z,W,Y,J,Ao,es,Or,hd,md)}function Pr(i,u){let m=0,p=0,g=Ne(i.bands,Cr);for(let k=0;g.length>k;k++){let y=g[k];y.series[0]==
u?m=y.dir:y.series[1]==u&&(p|=y.dir==1?1:2)}return[m,p==1?-1:p==2?1:p==3?2:0]}function Wp(i,u,m,p,g){let k=i.series[u],y=i.scales[i.mode==2?k.facets[1].scale:k.
scale];return g==-1?y.min:g==1?y.max:y.distr==3?y.dir==1?y.min:y.max:0}function Vn(i,u,m,p,g,k){return Ma(i,u,((y,D,A,R,P,_,W,Z,J,Y,ve)=>{let ce=y.pxRound,H=R.ori==
0?Qa:es,$e,G;R.dir*(R.ori==0?1:-1)==1?($e=m,G=p):($e=p,G=m);let ee=ce(_(D[$e],R,Y,Z)),K=ce(W(A[$e],P,ve,J)),xe=ce(_(D[G],R,Y,Z)),ke=ce(W(k==1?P.max:P.min,P,ve,J)),
Te=new Path2D(g);return H(Te,xe,ke),H(Te,ee,ke),H(Te,ee,K),Te}))}function Do(i,u,m,p,g,k){let y=null;if(i.length>0){y=new Path2D;let D=u==0?Mo:Or,A=m;for(let _=0;i.
length>_;_++){let W=i[_];if(W[1]>W[0]){let Z=W[0]-A;Z>0&&D(y,A,p,Z,p+k),A=W[1]}}let R=m+g-A,P=10;R>0&&D(y,A,p-P/2,R,p+k+P)}return y}function Ir(i,u,m,p,g,k,y){let D=[],
A=i.length;for(let R=g==1?m:p;R>=m&&p>=R;R+=g)if(u[R]===null){let P=R,_=R;if(g==1)for(;++R<=p&&u[R]===null;)_=R;else for(;--R>=m&&u[R]===null;)_=R;let W=k(i[P]),
Z=_==P?W:k(i[_]),J=P-g;W=y>0||0>J||J>=A?W:k(i[J]);let Y=_+g;Z=0>y||0>Y||Y>=A?Z:k(i[Y]),W>Z||D.push([W,Z])}return D}function cd(i){return i==0?kl:i==1?jt:u=>Ra(u,
i)}function ud(i){let u=i==0?Ro:Ao,m=i==0?(g,k,y,D,A,R)=>{g.arcTo(k,y,D,A,R)}:(g,k,y,D,A,R)=>{g.arcTo(y,k,A,D,R)},p=i==0?(g,k,y,D,A)=>{g.rect(k,y,D,A)}:(g,k,y,D,A)=>{
g.rect(y,k,A,D)};return(g,k,y,D,A,R=0,P=0)=>{R==0&&P==0?p(g,k,y,D,A):(R=Mn(R,D/2,A/2),P=Mn(P,D/2,A/2),u(g,k+R,y),m(g,k+D,y,k+D,y+A,R),m(g,k+D,y+A,k,y+A,P),m(g,k,
y+A,k,y,P),m(g,k,y,k+D,y,R),g.closePath())}}let Ro=(i,u,m)=>{i.moveTo(u,m)},Ao=(i,u,m)=>{i.moveTo(m,u)},Qa=(i,u,m)=>{i.lineTo(u,m)},es=(i,u,m)=>{i.lineTo(m,u)},
Mo=ud(0),Or=ud(1),pd=(i,u,m,p,g,k)=>{i.arc(u,m,p,g,k)},hd=(i,u,m,p,g,k)=>{i.arc(m,u,p,g,k)},fd=(i,u,m,p,g,k,y)=>{i.bezierCurveTo(u,m,p,g,k,y)},md=(i,u,m,p,g,k,y)=>{
i.bezierCurveTo(m,u,g,p,y,k)};function $d(){return(i,u,m,p,g)=>Ma(i,u,((k,y,D,A,R,P,_,W,Z,J,Y)=>{let ve,ce,{pxRound:H,points:$e}=k;A.ori==0?(ve=Ro,ce=pd):(ve=Ao,
ce=hd);let G=Xe($e.width*be,3),ee=($e.size-$e.width)/2*be,K=Xe(2*ee,3),xe=new Path2D,ke=new Path2D,{left:Te,top:Ae,width:X,height:ae}=i.bbox;Mo(ke,Te-K,Ae-K,X+2*
K,ae+2*K);let fe=We=>{if(D[We]!=null){let pe=H(P(y[We],A,J,W)),Me=H(_(D[We],R,Y,Z));ve(xe,pe+ee,Me),ce(xe,pe,Me,ee,0,2*ko)}};if(g)g.forEach(fe);else for(let We=m;p>=
We;We++)fe(We);return{stroke:G>0?xe:null,fill:xe,clip:ke,flags:3}}))}function gd(i){return(u,m,p,g,k,y)=>{p!=g&&(k!=p&&y!=p&&i(u,m,p),k!=g&&y!=g&&i(u,m,g),i(u,m,
y))}}let qp=gd(Qa),Hp=gd(es);function bd(i){let u=Ne(i?.alignGaps,0);return(m,p,g,k)=>Ma(m,p,((y,D,A,R,P,_,W,Z,J,Y,ve)=>{[g,k]=wo(A,g,k);let ce,H,$e=y.pxRound,G=ae=>$e(
_(ae,R,Y,Z)),ee=ae=>$e(W(ae,P,ve,J));R.ori==0?(ce=Qa,H=qp):(ce=es,H=Hp);let K=R.dir*(R.ori==0?1:-1),xe={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,
flags:1},ke=xe.stroke,Te=!1;if(k-g<4*Y)for(let ae=K==1?g:k;ae>=g&&k>=ae;ae+=K){let fe=A[ae];fe===null?Te=!0:fe!=null&&ce(ke,G(D[ae]),ee(fe))}else{let ae,fe,We,pe=le=>m.
posToVal(le,R.key,!0),Me=null,dt=null,St=G(D[K==1?g:k]),Qe=G(D[g]),zt=G(D[k]),De=pe(K==1?Qe+1:zt-1);for(let le=K==1?g:k;le>=g&&k>=le;le+=K){let te=D[le],ct=(K==
1?De>te:te>De)?St:G(te),ft=A[le];ct==St?ft!=null?(fe=ft,Me==null?(ce(ke,ct,ee(fe)),ae=Me=dt=fe):Me>fe?Me=fe:fe>dt&&(dt=fe)):ft===null&&(Te=!0):(Me!=null&&H(ke,St,
ee(Me),ee(dt),ee(ae),ee(fe)),ft!=null?(fe=ft,ce(ke,ct,ee(fe)),Me=dt=ae=fe):(Me=dt=null,ft===null&&(Te=!0)),St=ct,De=pe(St+K))}Me!=null&&Me!=dt&&We!=St&&H(ke,St,
ee(Me),ee(dt),ee(ae),ee(fe))}let[Ae,X]=Pr(m,p);if(y.fill!=null||Ae!=0){let ae=xe.fill=new Path2D(ke),fe=ee(y.fillTo(m,p,y.min,y.max,Ae)),We=G(D[g]),pe=G(D[k]);K==
-1&&([pe,We]=[We,pe]),ce(ae,pe,fe),ce(ae,We,fe)}if(!y.spanGaps){let ae=[];Te&&ae.push(...Ir(D,A,g,k,K,G,u)),xe.gaps=ae=y.gaps(m,p,g,k,ae),xe.clip=Do(ae,R.ori,Z,
J,Y,ve)}return X!=0&&(xe.band=X==2?[Vn(m,p,g,k,ke,-1),Vn(m,p,g,k,ke,1)]:Vn(m,p,g,k,ke,X)),xe}))}function vd(i,u,m,p,g,k,y=Ze){if(i.length>1){let D=null;for(let A=0,
R=1/0;i.length>A;A++)if(u[A]!==void 0){if(D!=null){let P=Ct(i[A]-i[D]);R>P&&(R=P,y=Ct(m(i[A],p,g,k)-m(i[D],p,g,k)))}D=A}}return y}function Up(i,u,m,p,g){let k=i.
length;if(2>k)return null;let y=new Path2D;if(m(y,i[0],u[0]),k==2)p(y,i[1],u[1]);else{let D=Array(k),A=Array(k-1),R=Array(k-1),P=Array(k-1);for(let _=0;k-1>_;_++)
R[_]=u[_+1]-u[_],P[_]=i[_+1]-i[_],A[_]=R[_]/P[_];D[0]=A[0];for(let _=1;k-1>_;_++)A[_]===0||A[_-1]===0||A[_-1]>0!=A[_]>0?D[_]=0:(D[_]=3*(P[_-1]+P[_])/((2*P[_]+P[_-
1])/A[_-1]+(P[_]+2*P[_-1])/A[_]),isFinite(D[_])||(D[_]=0));D[k-1]=A[k-2];for(let _=0;k-1>_;_++)g(y,i[_]+P[_]/3,u[_]+D[_]*P[_]/3,i[_+1]-P[_]/3,u[_+1]-D[_+1]*P[_]/
3,i[_+1],u[_+1])}return y}let zr=new Set;function wd(){for(let i of zr)i.syncRect(!0)}at&&(Ta("resize",Ke,wd),Ta("scroll",Ke,wd,!0),Ta(ye,Ke,(()=>{Bt.pxRatio=be})));
let Bp=bd(),Jp=$d();function yd(i,u,m,p){return(p?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map(((g,k)=>Lr(g,k,u,m)))}function Lr(i,u,m,p){return wt(
{},u==0?m:p,i)}function xd(i,u,m){return u==null?Ya:[u,m]}let Kp=xd;function Gp(i,u,m){return u==null?Ya:xo(u,m,yr,!0)}function kd(i,u,m,p){return u==null?Ya:yo(
u,m,i.scales[p].log,!1)}let Vp=kd;function _d(i,u,m,p){return u==null?Ya:wr(u,m,i.scales[p].log,!1)}let Yp=_d;function Zp(i,u,m,p,g){let k=en(yl(i),yl(u)),y=u-i,
D=An(g/p*y,m);do{let A=m[D],R=p*A/y;if(R>=g&&17>=k+(5>A?ia.get(A):0))return[A,R]}while(++D<m.length);return[0,0]}function Cd(i){let u,m;return[i=i.replace(/(\d+)px/,
((p,g)=>(u=jt((m=+g)*be))+"px")),u,m]}function Xp(i){i.show&&[i.font,i.labelFont].forEach((u=>{let m=Xe(u[2]*be,1);u[0]=u[0].replace(/[0-9.]+px/,m+"px"),u[1]=m}))}
function Bt(i,u,m){let p={mode:Ne(i.mode,1)},g=p.mode;function k(l,h,f,b){let x=h.valToPct(l);return b+f*(h.dir==-1?1-x:x)}function y(l,h,f,b){let x=h.valToPct(
l);return b+f*(h.dir==-1?x:1-x)}function D(l,h,f,b){return h.ori==0?k(l,h,f,b):y(l,h,f,b)}p.valToPosH=k,p.valToPosV=y;let A=!1;p.status=0;let R=p.root=wn("uplot");
i.id!=null&&(R.id=i.id),Ot(R,i.class),i.title&&(wn("u-title",R).textContent=i.title);let P=Rn("canvas"),_=p.ctx=P.getContext("2d"),W=wn("u-wrap",R);Ta("click",W,
(l=>{l.target===J&&(ot!=fs||ut!=ms)&&Nt.click(p,l)}),!0);let Z=p.under=wn("u-under",W);W.appendChild(P);let J=p.over=wn("u-over",W),Y=+Ne((i=Za(i)).pxAlign,1),ve=cd(
Y);(i.plugins||[]).forEach((l=>{l.opts&&(i=l.opts(p,i)||i)}));let ce=i.ms||.001,H=p.series=g==1?yd(i.series||[],Ql,rd,!1):(function(l,h){return l.map(((f,b)=>b==
0?{}:wt({},h,f)))})(i.series||[null],od),$e=p.axes=yd(i.axes||[],Xl,nd,!0),G=p.scales={},ee=p.bands=i.bands||[];ee.forEach((l=>{l.fill=Ee(l.fill||null),l.dir=Ne(
l.dir,-1)}));let K=g==2?H[1].facets[0].scale:H[0].scale,xe={axes:function(){for(let l=0;$e.length>l;l++){let h=$e[l];if(!h.show||!h._show)continue;let f,b,x=h.side,
S=x%2,M=h.stroke(p,l),I=x==0||x==3?-1:1,[z,L]=h._found;if(h.label!=null){let lt=jt((h._lpos+h.labelGap*I)*be);Md(h.labelFont[0],M,"center",x==2?"top":r),_.save(),
S==1?(f=b=0,_.translate(lt,jt(sn+Oa/2)),_.rotate((x==3?-ko:ko)/2)):(f=jt(kn+In/2),b=lt);let Vt=xl(h.label)?h.label(p,l,z,L):h.label;_.fillText(Vt,f,b),_.restore()}
if(L==0)continue;let B=G[h.scale],ne=S==0?In:Oa,ze=S==0?kn:sn,we=h._splits,me=B.distr==2?we.map((lt=>On[lt])):we,ge=B.distr==2?On[we[1]]-On[we[0]]:z,N=h.ticks,he=h.
border,He=N.show?N.size:0,bt=jt(He*be),it=jt((h.alignTo==2?h._size-He-h.gap:h.gap)*be),Je=h._rotate*-ko/180,Wt=ve(h._pos*be),Kt=Wt+(bt+it)*I;b=S==0?Kt:0,f=S==1?
Kt:0,Md(h.font[0],M,h.align==1?d:h.align==2?c:Je>0?d:0>Je?c:S==0?"center":x==3?c:d,Je||S==1?"middle":x==2?"top":r);let Gt=h.font[1]*h.lineGap,mt=we.map((lt=>ve(
D(lt,B,ne,ze)))),$n=h._values;for(let lt=0;$n.length>lt;lt++){let Vt=$n[lt];if(Vt!=null){S==0?f=mt[lt]:b=mt[lt],Vt=""+Vt;let rn=Vt.indexOf(`
`)==-1?[Vt]:Vt.split(/\n/gm);for(let jn=0;rn.length>jn;jn++){let Qn=rn[jn];Je?(_.save(),_.translate(f,b+jn*Gt),_.rotate(Je),_.fillText(Qn,0,0),_.restore()):_.fillText(
Qn,f,b+jn*Gt)}}}N.show&&Zr(mt,N.filter(p,me,l,L,ge),S,x,Wt,bt,Xe(N.width*be,3),N.stroke(p,l),N.dash,N.cap);let xt=h.grid;xt.show&&Zr(mt,xt.filter(p,me,l,L,ge),S,
S==0?2:1,S==0?sn:kn,S==0?Oa:In,Xe(xt.width*be,3),xt.stroke(p,l),xt.dash,xt.cap),he.show&&Zr([Wt],[1],S==0?1:0,S==0?1:2,S==1?sn:kn,S==1?Oa:In,Xe(he.width*be,3),he.
stroke(p,l),he.dash,he.cap)}Pt("drawAxes")},series:function(){if(Ft>0){let l=H.some((h=>h._focus))&&on!=Wn.alpha;l&&(_.globalAlpha=on=Wn.alpha),H.forEach(((h,f)=>{
if(f>0&&h.show&&(Pd(f,!1),Pd(f,!0),h._paths==null)){let b=on;on!=h.alpha&&(_.globalAlpha=on=h.alpha);let x=g==2?[0,u[f][0].length-1]:(function(S){let M=_r(Rt-1,
0,Ft-1),I=_r(At+1,0,Ft-1);for(;S[M]==null&&M>0;)M--;for(;S[I]==null&&Ft-1>I;)I++;return[M,I]})(u[f]);h._paths=h.paths(p,f,x[0],x[1]),on!=b&&(_.globalAlpha=on=b)}})),
H.forEach(((h,f)=>{if(f>0&&h.show){let b=on;on!=h.alpha&&(_.globalAlpha=on=h.alpha),h._paths!=null&&Id(f,!1);{let x=h._paths!=null?h._paths.gaps:null,S=h.points.
show(p,f,Rt,At,x),M=h.points.filter(p,f,S,x);(S||M)&&(h.points._paths=h.points.paths(p,f,Rt,At,M),Id(f,!0))}on!=b&&(_.globalAlpha=on=b),Pt("drawSeries",f)}})),l&&
(_.globalAlpha=on=1)}}},ke=(i.drawOrder||["axes","series"]).map((l=>xe[l]));function Te(l){let h=l.distr==3?f=>Gn(f>0?f:l.clamp(p,f,l.min,l.max,l.key)):l.distr==
4?f=>kr(f,l.asinh):l.distr==100?f=>l.fwd(f):f=>f;return f=>{let b=h(f),{_min:x,_max:S}=l;return(b-x)/(S-x)}}function Ae(l){let h=G[l];if(h==null){let f=(i.scales||
Ks)[l]||Ks;if(f.from!=null){Ae(f.from);let b=wt({},G[f.from],f,{key:l});b.valToPct=Te(b),G[l]=b}else{h=G[l]=wt({},l==K?id:Np,f),h.key=l;let b=h.time,x=h.range,S=la(
x);if((l!=K||g==2&&!b)&&(!S||x[0]!=null&&x[1]!=null||(x={min:x[0]==null?gl:{mode:1,hard:x[0],soft:x[0]},max:x[1]==null?gl:{mode:1,hard:x[1],soft:x[1]}},S=!1),!S&&
Co(x))){let M=x;x=(I,z,L)=>z==null?Ya:xo(z,L,M)}h.range=Ee(x||(b?Kp:l==K?h.distr==3?Vp:h.distr==4?Yp:xd:h.distr==3?kd:h.distr==4?_d:Gp)),h.auto=Ee(!S&&h.auto),h.
clamp=Ee(h.clamp||Fp),h._min=h._max=null,h.valToPct=Te(h)}}}Ae("x"),Ae("y"),g==1&&H.forEach((l=>{Ae(l.scale)})),$e.forEach((l=>{Ae(l.scale)}));for(let l in i.scales)
Ae(l);let X=G[K],ae=X.distr,fe,We;X.ori==0?(Ot(R,"u-hz"),fe=k,We=y):(Ot(R,"u-vt"),fe=y,We=k);let pe={};for(let l in G){let h=G[l];h.min==null&&h.max==null||(pe[l]=
{min:h.min,max:h.max},h.min=h.max=null)}let Me=i.tzDate||(l=>new Date(jt(l/ce))),dt=i.fmtDate||jr,St=ce==1?Cp(Me):Tp(Me),Qe=Bl(Me,Ul(ce==1?_p:Sp,dt)),zt=Kl(Me,Jl(
"{YYYY}-{MM}-{DD} {h}:{mm}{aa}",dt)),De=[],le=p.legend=wt({},Dp,i.legend),te=p.cursor=wt({},Rp,{drag:{y:g==2}},i.cursor),ct=le.show,ft=te.show,$t=le.markers,En,
ts,fn;le.idxs=De,$t.width=Ee($t.width),$t.dash=Ee($t.dash),$t.stroke=Ee($t.stroke),$t.fill=Ee($t.fill);let gt,mn=[],da=[],xn=!1,ca={};if(le.live){let l=H[1]?H[1].
values:null;xn=l!=null,gt=xn?l(p,1,0):{_:0};for(let h in gt)ca[h]=de}if(ct)if(En=Rn("table","u-legend",R),fn=Rn("tbody",null,En),le.mount(p,En),xn){ts=Rn("thead",
null,En,fn);let l=Rn("tr",null,ts);for(var ns in Rn("th",null,l),gt)Rn("th",t,l).textContent=ns}else Ot(En,"u-inline"),le.live&&Ot(En,"u-live");let as={show:!0},
Ys={show:!1},ua=new Map;function tn(l,h,f,b=!0){let x=ua.get(h)||{},S=te.bind[l](p,h,f,b);S&&(Ta(l,h,x[l]=S),ua.set(h,x))}function ss(l,h){let f=ua.get(h)||{};for(let b in f)
l!=null&&b!=l||(vr(b,h,f[b]),delete f[b]);l==null&&ua.delete(h)}let Yn=0,Ea=0,_e=0,V=0,et=0,Lt=0,Pa=et,Zn=Lt,Ia=_e,Pn=V,kn=0,sn=0,In=0,Oa=0;p.bbox={};let Fr=!1,
Eo=!1,os=!1,za=!1,Po=!1,_n=!1;function Nr(l,h,f){(f||l!=p.width||h!=p.height)&&jd(l,h),us(!1),os=!0,Eo=!0,$s()}function jd(l,h){p.width=Yn=_e=l,p.height=Ea=V=h,
et=Lt=0,(function(){let b=!1,x=!1,S=!1,M=!1;$e.forEach((I=>{if(I.show&&I._show){let{side:z,_size:L}=I,B=L+(I.label!=null?I.labelSize:0);B>0&&(z%2?(_e-=B,z==3?(et+=
B,M=!0):S=!0):(V-=B,z==0?(Lt+=B,b=!0):x=!0))}})),Fa[0]=b,Fa[1]=S,Fa[2]=x,Fa[3]=M,_e-=pa[1]+pa[3],et+=pa[3],V-=pa[2]+pa[0],Lt+=pa[0]})(),(function(){let b=et+_e,
x=Lt+V,S=et,M=Lt;function I(z,L){switch(z){case 1:return b+=L,b-L;case 2:return x+=L,x-L;case 3:return S-=L,S+L;case 0:return M-=L,M+L}}$e.forEach((z=>{if(z.show&&
z._show){let L=z.side;z._pos=I(L,z._size),z.label!=null&&(z._lpos=I(L,z.labelSize))}}))})();let f=p.bbox;kn=f.left=Ra(et*be,.5),sn=f.top=Ra(Lt*be,.5),In=f.width=
Ra(_e*be,.5),Oa=f.height=Ra(V*be,.5)}let Qp=3;if(p.setSize=function({width:l,height:h}){Nr(l,h)},te.dataIdx==null){let l=te.hover,h=l.skip=new Set(l.skip??[]);h.
add(void 0);let f=l.prox=Ee(l.prox),b=l.bias??=0;te.dataIdx=(x,S,M,I)=>{if(S==0)return M;let z=M,L=f(x,S,M,I)??Ze,B=L>=0&&Ze>L,ne=X.ori==0?_e:V,ze=te.left,we=u[0],
me=u[S];if(h.has(me[M])){z=null;let ge,N=null,he=null;if(b==0||b==-1)for(ge=M;N==null&&ge-- >0;)h.has(me[ge])||(N=ge);if(b==0||b==1)for(ge=M;he==null&&ge++<me.length;)
h.has(me[ge])||(he=ge);if(N!=null||he!=null)if(B){let He=ze-(N==null?-1/0:fe(we[N],X,ne,0)),bt=(he==null?1/0:fe(we[he],X,ne,0))-ze;He>bt?bt>L||(z=he):He>L||(z=N)}else
z=he==null?N:N==null||M-N>he-M?he:N}else B&&Ct(ze-fe(we[M],X,ne,0))>L&&(z=null);return z}}let La=l=>{te.event=l};te.idxs=De,te._lock=!1;let Jt=te.points;Jt.show=
Ee(Jt.show),Jt.size=Ee(Jt.size),Jt.stroke=Ee(Jt.stroke),Jt.width=Ee(Jt.width),Jt.fill=Ee(Jt.fill);let Wn=p.focus=wt({},i.focus||{alpha:.3},te.focus),rs=Wn.prox>=
0,is=rs&&Jt.one,Cn=[],ls=[],ds=[];function Sd(l,h){let f=Jt.show(p,h);if(f instanceof HTMLElement)return Ot(f,"u-cursor-pt"),Ot(f,l.class),Nn(f,-10,-10,_e,V),J.
insertBefore(f,Cn[h]),f}function Td(l,h){if(g==1||h>0){let f=g==1&&G[l.scale].time,b=l.value;l.value=f?Rl(b)?Kl(Me,Jl(b,dt)):b||zt:b||Lp,l.label=l.label||(f?"Ti\
me":"Value")}if(is||h>0){l.width=l.width==null?1:l.width,l.paths=l.paths||Bp||cp,l.fillTo=Ee(l.fillTo||Wp),l.pxAlign=+Ne(l.pxAlign,Y),l.pxRound=cd(l.pxAlign),l.
stroke=Ee(l.stroke||null),l.fill=Ee(l.fill||null),l._stroke=l._fill=l._paths=l._focus=null;let f=(function(x){return Xe(1*(3+2*(x||1)),3)})(en(1,l.width)),b=l.points=
wt({},{size:f,width:en(1,.2*f),stroke:l.stroke,space:2*f,paths:Jp,_stroke:null,_fill:null},l.points);b.show=Ee(b.show),b.filter=Ee(b.filter),b.fill=Ee(b.fill),b.
stroke=Ee(b.stroke),b.paths=Ee(b.paths),b.pxAlign=l.pxAlign}if(ct){let f=(function(b,x){if(x==0&&(xn||!le.live||g==2))return Ya;let S=[],M=Rn("tr","u-series",fn,
fn.childNodes[x]);Ot(M,b.class),b.show||Ot(M,e);let I=Rn("th",null,M);if($t.show){let B=wn("u-marker",I);if(x>0){let ne=$t.width(p,x);ne&&(B.style.border=ne+"px\
 "+$t.dash(p,x)+" "+$t.stroke(p,x)),B.style.background=$t.fill(p,x)}}let z=wn(t,I);for(var L in b.label instanceof HTMLElement?z.appendChild(b.label):z.textContent=
b.label,x>0&&($t.show||(z.style.color=b.width>0?$t.stroke(p,x):$t.fill(p,x)),tn("click",I,(B=>{if(te._lock)return;La(B);let ne=H.indexOf(b);if((B.ctrlKey||B.metaKey)!=
le.isolate){let ze=H.some(((we,me)=>me>0&&me!=ne&&we.show));H.forEach(((we,me)=>{me>0&&qn(me,ze?me==ne?as:Ys:as,!0,yt.setSeries)}))}else qn(ne,{show:!b.show},!0,
yt.setSeries)}),!1),rs&&tn(j,I,(B=>{te._lock||(La(B),qn(H.indexOf(b),bs,!0,yt.setSeries))}),!1)),gt){let B=Rn("td","u-value",M);B.textContent="--",S.push(B)}return[
M,S]})(l,h);mn.splice(h,0,f[0]),da.splice(h,0,f[1]),le.values.push(null)}if(ft){De.splice(h,0,null);let f=null;is?h==0&&(f=Sd(l,h)):h>0&&(f=Sd(l,h)),Cn.splice(h,
0,f),ls.splice(h,0,0),ds.splice(h,0,0)}Pt("addSeries",h)}p.addSeries=function(l,h){h=h??H.length,l=g==1?Lr(l,h,Ql,rd):Lr(l,h,{},od),H.splice(h,0,l),Td(H[h],h)},
p.delSeries=function(l){if(H.splice(l,1),ct){le.values.splice(l,1),da.splice(l,1);let h=mn.splice(l,1)[0];ss(null,h.firstChild),h.remove()}ft&&(De.splice(l,1),Cn.
splice(l,1)[0].remove(),ls.splice(l,1),ds.splice(l,1)),Pt("delSeries",l)};let Fa=[!1,!1,!1,!1];function Zs(l,h,f){let[b,x,S,M]=f,I=h%2,z=0;return I==0&&(M||x)&&
(z=h==0&&!b||h==2&&!S?jt(Xl.size/3):0),I==1&&(b||S)&&(z=h==1&&!x||h==3&&!M?jt(nd.size/2):0),z}let Dd=p.padding=(i.padding||[Zs,Zs,Zs,Zs]).map((l=>Ee(Ne(l,Zs)))),
pa=p._padding=Dd.map(((l,h)=>l(p,h,Fa,0))),Ft,Rt=null,At=null,Io=g==1?H[0].idxs:null,Oo,cs,Wr,qr,Hr,Ur,Br,Jr,Kr,on,On=null,Xs=!1;function Rd(l,h){if(p.data=p._data=
u=l??[],g==2){Ft=0;for(let f=1;H.length>f;f++)Ft+=u[f][0].length}else{u.length==0&&(p.data=p._data=u=[[]]),On=u[0],Ft=On.length;let f=u;if(ae==2){f=u.slice();let b=f[0]=
Array(Ft);for(let x=0;Ft>x;x++)b[x]=x}p._data=u=f}if(us(!0),Pt("setData"),ae==2&&(os=!0),h!==!1){let f=X;f.auto(p,Xs)?Gr():fa(K,f.min,f.max),za=za||te.left>=0,_n=
!0,$s()}}function Gr(){let l,h;Xs=!0,g==1&&(Ft>0?(Rt=Io[0]=0,At=Io[1]=Ft-1,l=u[0][Rt],h=u[0][At],ae==2?(l=Rt,h=At):l==h&&(ae==3?[l,h]=yo(l,l,X.log,!1):ae==4?[l,
h]=wr(l,l,X.log,!1):X.time?h=l+jt(86400/ce):[l,h]=xo(l,h,yr,!0))):(Rt=Io[0]=l=null,At=Io[1]=h=null)),fa(K,l,h)}function Ad(l,h,f,b,x,S){l??=w,f??=Cr,b??="butt",
x??=w,S??="round",l!=Oo&&(_.strokeStyle=Oo=l),x!=cs&&(_.fillStyle=cs=x),h!=Wr&&(_.lineWidth=Wr=h),S!=Hr&&(_.lineJoin=Hr=S),b!=Ur&&(_.lineCap=Ur=b),f!=qr&&_.setLineDash(
qr=f)}function Md(l,h,f,b){h!=cs&&(_.fillStyle=cs=h),l!=Br&&(_.font=Br=l),f!=Jr&&(_.textAlign=Jr=f),b!=Kr&&(_.textBaseline=Kr=b)}function Vr(l,h,f,b,x=0){if(b.length>
0&&l.auto(p,Xs)&&(h==null||h.min==null)){let S=Ne(Rt,0),M=Ne(At,b.length-1),I=f.min==null?(function(z,L,B,ne=0,ze=!1){let we=ze?ip:wo,me=ze?$l:ml;[L,B]=we(z,L,B);
let ge=z[L],N=z[L];if(L>-1)if(ne==1)ge=z[L],N=z[B];else if(ne==-1)ge=z[B],N=z[L];else for(let he=L;B>=he;he++){let He=z[he];me(He)&&(ge>He?ge=He:He>N&&(N=He))}return[
ge??Ze,N??-Ze]})(b,S,M,x,l.distr==3):[f.min,f.max];l.min=Mn(l.min,f.min=I[0]),l.max=en(l.max,f.max=I[1])}}p.setData=Rd;let Ed={min:null,max:null};function Pd(l,h){
let f=h?H[l].points:H[l];f._stroke=f.stroke(p,l),f._fill=f.fill(p,l)}function Id(l,h){let f=h?H[l].points:H[l],{stroke:b,fill:x,clip:S,flags:M,_stroke:I=f._stroke,
_fill:z=f._fill,_width:L=f.width}=f._paths;L=Xe(L*be,3);let B=null,ne=L%2/2;h&&z==null&&(z=L>0?"#fff":I);let ze=f.pxAlign==1&&ne>0;if(ze&&_.translate(ne,ne),!h){
let we=kn-L/2,me=sn-L/2,ge=In+L,N=Oa+L;B=new Path2D,B.rect(we,me,ge,N)}h?Yr(I,L,f.dash,f.cap,z,b,x,M,S):(function(we,me,ge,N,he,He,bt,it,Je,Wt,Kt){let Gt=!1;Je!=
0&&ee.forEach(((mt,$n)=>{if(mt.series[0]==we){let xt,lt=H[mt.series[1]],Vt=u[mt.series[1]],rn=(lt._paths||Ks).band;la(rn)&&(rn=mt.dir==1?rn[0]:rn[1]);let jn=null;
lt.show&&rn&&(function(Qn,ga,gn){for(ga=Ne(ga,0),gn=Ne(gn,Qn.length-1);gn>=ga;){if(Qn[ga]!=null)return!0;ga++}return!1})(Vt,Rt,At)?(jn=mt.fill(p,$n)||He,xt=lt._paths.
clip):rn=null,Yr(me,ge,N,he,jn,bt,it,Je,Wt,Kt,xt,rn),Gt=!0}})),Gt||Yr(me,ge,N,he,He,bt,it,Je,Wt,Kt)})(l,I,L,f.dash,f.cap,z,b,x,M,B,S),ze&&_.translate(-ne,-ne)}let Od=3;
function Yr(l,h,f,b,x,S,M,I,z,L,B,ne){Ad(l,h,f,b,x),(z||L||ne)&&(_.save(),z&&_.clip(z),L&&_.clip(L)),ne?(I&Od)==Od?(_.clip(ne),B&&_.clip(B),Lo(x,M),zo(l,S,h)):2&
I?(Lo(x,M),_.clip(ne),zo(l,S,h)):1&I&&(_.save(),_.clip(ne),B&&_.clip(B),Lo(x,M),_.restore(),zo(l,S,h)):(Lo(x,M),zo(l,S,h)),(z||L||ne)&&_.restore()}function zo(l,h,f){
f>0&&(h instanceof Map?h.forEach(((b,x)=>{_.strokeStyle=Oo=x,_.stroke(b)})):h!=null&&l&&_.stroke(h))}function Lo(l,h){h instanceof Map?h.forEach(((f,b)=>{_.fillStyle=
cs=b,_.fill(f)})):h!=null&&l&&_.fill(h)}function Zr(l,h,f,b,x,S,M,I,z,L){let B=M%2/2;Y==1&&_.translate(B,B),Ad(I,M,z,L,I),_.beginPath();let ne,ze,we,me,ge=x+(b==
0||b==3?-S:S);f==0?(ze=x,me=ge):(ne=x,we=ge);for(let N=0;l.length>N;N++)h[N]!=null&&(f==0?ne=we=l[N]:ze=me=l[N],_.moveTo(ne,ze),_.lineTo(we,me));_.stroke(),Y==1&&
_.translate(-B,-B)}function eh(l){let h=!0;return $e.forEach(((f,b)=>{if(!f.show)return;let x=G[f.scale];if(x.min==null)return void(f._show&&(h=!1,f._show=!1,us(
!1)));f._show||(h=!1,f._show=!0,us(!1));let S=f.side,M=S%2,{min:I,max:z}=x,[L,B]=(function(N,he,He,bt){let it,Je=$e[N];if(bt>0){let Wt=Je._space=Je.space(p,N,he,
He,bt);it=Zp(he,He,Je._incrs=Je.incrs(p,N,he,He,bt,Wt),bt,Wt)}else it=[0,0];return Je._found=it})(b,I,z,M==0?_e:V);if(B==0)return;let ne=f._splits=f.splits(p,b,
I,z,L,B,x.distr==2),ze=x.distr==2?ne.map((N=>On[N])):ne,we=x.distr==2?On[ne[1]]-On[ne[0]]:L,me=f._values=f.values(p,f.filter(p,ze,b,B,we),b,B,we);f._rotate=S==2?
f.rotate(p,me,b,B):0;let ge=f._size;f._size=yn(f.size(p,me,b,l)),ge!=null&&f._size!=ge&&(h=!1)})),h}function th(l){let h=!0;return Dd.forEach(((f,b)=>{let x=f(p,
b,Fa,l);x!=pa[b]&&(h=!1),pa[b]=x})),h}function us(l){H.forEach(((h,f)=>{f>0&&(h._paths=null,l&&(g==1?(h.min=null,h.max=null):h.facets.forEach((b=>{b.min=null,b.
max=null}))))}))}let Xr,Qr,ps,hs,zd,Ld,fs,ms,Fd,Nd,ot,ut,Fo=!1,ei=!1,Qs=[];function nh(){ei=!1;for(let l=0;Qs.length>l;l++)Pt(...Qs[l]);Qs.length=0}function $s(){
Fo||(mp(Wd),Fo=!0)}function Wd(){if(Fr&&((function(){for(let b in G){let x=G[b];pe[b]==null&&(x.min==null||pe[K]!=null&&x.auto(p,Xs))&&(pe[b]=Ed)}for(let b in G){
let x=G[b];pe[b]==null&&x.from!=null&&pe[x.from]!=null&&(pe[b]=Ed)}pe[K]!=null&&us(!0);let l={};for(let b in pe){let x=pe[b];if(x!=null){let S=l[b]=Za(G[b],pp);
if(x.min!=null)wt(S,x);else if(b!=K||g==2)if(Ft==0&&S.from==null){let M=S.range(p,null,null,b);S.min=M[0],S.max=M[1]}else S.min=Ze,S.max=-Ze}}if(Ft>0){H.forEach(
((b,x)=>{if(g==1){let S=b.scale,M=pe[S];if(M==null)return;let I=l[S];if(x==0){let z=I.range(p,I.min,I.max,S);I.min=z[0],I.max=z[1],Rt=An(I.min,u[0]),At=An(I.max,
u[0]),At-Rt>1&&(I.min>u[0][Rt]&&Rt++,u[0][At]>I.max&&At--),b.min=On[Rt],b.max=On[At]}else b.show&&b.auto&&Vr(I,M,b,u[x],b.sorted);b.idxs[0]=Rt,b.idxs[1]=At}else if(x>
0&&b.show&&b.auto){let[S,M]=b.facets,I=S.scale,z=M.scale,[L,B]=u[x],ne=l[I],ze=l[z];ne!=null&&Vr(ne,pe[I],S,L,S.sorted),ze!=null&&Vr(ze,pe[z],M,B,M.sorted),b.min=
M.min,b.max=M.max}}));for(let b in l){let x=l[b],S=pe[b];if(x.from==null&&(S==null||S.min==null)){let M=x.range(p,x.min==Ze?null:x.min,x.max==-Ze?null:x.max,b);
x.min=M[0],x.max=M[1]}}}for(let b in l){let x=l[b];if(x.from!=null){let S=l[x.from];if(S.min==null)x.min=x.max=null;else{let M=x.range(p,S.min,S.max,b);x.min=M[0],
x.max=M[1]}}}let h={},f=!1;for(let b in l){let x=l[b],S=G[b];if(S.min!=x.min||S.max!=x.max){S.min=x.min,S.max=x.max;let M=S.distr;S._min=M==3?Gn(S.min):M==4?kr(
S.min,S.asinh):M==100?S.fwd(S.min):S.min,S._max=M==3?Gn(S.max):M==4?kr(S.max,S.asinh):M==100?S.fwd(S.max):S.max,h[b]=f=!0}}if(f){H.forEach(((b,x)=>{g==2?x>0&&h.
y&&(b._paths=null):h[b.scale]&&(b._paths=null)}));for(let b in h)os=!0,Pt("setScale",b);ft&&te.left>=0&&(za=_n=!0)}for(let b in pe)pe[b]=null})(),Fr=!1),os&&((function(){
let l=!1,h=0;for(;!l;){h++;let f=eh(h),b=th(h);l=h==Qp||f&&b,l||(jd(p.width,p.height),Eo=!0)}})(),os=!1),Eo){if(Fe(Z,d,et),Fe(Z,"top",Lt),Fe(Z,n,_e),Fe(Z,s,V),Fe(
J,d,et),Fe(J,"top",Lt),Fe(J,n,_e),Fe(J,s,V),Fe(W,n,Yn),Fe(W,s,Ea),P.width=jt(Yn*be),P.height=jt(Ea*be),$e.forEach((({_el:l,_show:h,_size:f,_pos:b,side:x})=>{if(l!=
null)if(h){let S=x%2==1;Fe(l,S?"left":"top",b-(x===3||x===0?f:0)),Fe(l,S?"width":"height",f),Fe(l,S?"top":"left",S?Lt:et),Fe(l,S?"height":"width",S?V:_e),an(l,e)}else
Ot(l,e)})),Oo=cs=Wr=Hr=Ur=Br=Jr=Kr=qr=null,on=1,no(!0),et!=Pa||Lt!=Zn||_e!=Ia||V!=Pn){us(!1);let l=_e/Ia,h=V/Pn;if(ft&&!za&&te.left>=0){te.left*=l,te.top*=h,ps&&
Nn(ps,jt(te.left),0,_e,V),hs&&Nn(hs,0,jt(te.top),_e,V);for(let f=0;Cn.length>f;f++){let b=Cn[f];b!=null&&(ls[f]*=l,ds[f]*=h,Nn(b,yn(ls[f]),yn(ds[f]),_e,V))}}if(rt.
show&&!Po&&rt.left>=0&&rt.width>0){rt.left*=l,rt.width*=l,rt.top*=h,rt.height*=h;for(let f in si)Fe(gs,f,rt[f])}Pa=et,Zn=Lt,Ia=_e,Pn=V}Pt("setSize"),Eo=!1}Yn>0&&
Ea>0&&(_.clearRect(0,0,P.width,P.height),Pt("drawClear"),ke.forEach((l=>l())),Pt("draw")),rt.show&&Po&&(No(rt),Po=!1),ft&&za&&(Wa(null,!0,!1),za=!1),le.show&&le.
live&&_n&&(ni(),_n=!1),A||(A=!0,p.status=1,Pt("ready")),Xs=!1,Fo=!1}function ti(l,h){let f=G[l];if(f.from==null){if(Ft==0){let b=f.range(p,h.min,h.max,l);h.min=
b[0],h.max=b[1]}if(h.min>h.max){let b=h.min;h.min=h.max,h.max=b}if(Ft>1&&h.min!=null&&h.max!=null&&1e-16>h.max-h.min)return;l==K&&f.distr==2&&Ft>0&&(h.min=An(h.
min,u[0]),h.max=An(h.max,u[0]),h.min==h.max&&h.max++),pe[l]=h,Fr=!0,$s()}}p.batch=function(l,h=!1){Fo=!0,ei=h,l(p),Wd(),h&&Qs.length>0&&queueMicrotask(nh)},p.redraw=
(l,h)=>{os=h||!1,l!==!1?fa(K,X.min,X.max):$s()},p.setScale=ti;let ha=!1,Nt=te.drag,Mt=Nt.x,Et=Nt.y;ft&&(te.x&&(Xr=wn("u-cursor-x",J)),te.y&&(Qr=wn("u-cursor-y",
J)),X.ori==0?(ps=Xr,hs=Qr):(ps=Qr,hs=Xr),ot=te.left,ut=te.top);let rt=p.select=wt({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),gs=rt.show?wn("u-sel\
ect",rt.over?J:Z):null;function No(l,h){if(rt.show){for(let f in l)rt[f]=l[f],f in si&&Fe(gs,f,l[f]);h!==!1&&Pt("setSelect")}}function fa(l,h,f){ti(l,{min:h,max:f})}
function qn(l,h,f,b){h.focus!=null&&(function(x){if(x!=Na){let S=x==null,M=Wn.alpha!=1;H.forEach(((I,z)=>{if(g==1||z>0){let L=S||z==0||z==x;I._focus=S?null:L,M&&
(function(B,ne){H[B].alpha=ne,ft&&Cn[B]!=null&&(Cn[B].style.opacity=ne),ct&&mn[B]&&(mn[B].style.opacity=ne)})(z,L?1:Wn.alpha)}})),Na=x,M&&$s()}})(l),h.show!=null&&
H.forEach(((x,S)=>{0>=S||l!=S&&l!=null||(x.show=h.show,(function(M){if(H[M].show)ct&&an(mn[M],e);else if(ct&&Ot(mn[M],e),ft){let I=is?Cn[0]:Cn[M];I!=null&&Nn(I,
-10,-10,_e,V)}})(S),g==2?(fa(x.facets[0].scale,null,null),fa(x.facets[1].scale,null,null)):fa(x.scale,null,null),$s())})),f!==!1&&Pt("setSeries",l,h),b&&ao("set\
Series",p,l,h)}let Xn,ma,Na;p.setSelect=No,p.setSeries=qn,p.addBand=function(l,h){l.fill=Ee(l.fill||null),l.dir=Ne(l.dir,-1),ee.splice(h=h??ee.length,0,l)},p.setBand=
function(l,h){wt(ee[l],h)},p.delBand=function(l){l==null?ee.length=0:ee.splice(l,1)};let bs={focus:!0};function Hn(l,h,f){let b=G[h];f&&(l=l/be-(b.ori==1?Lt:et));
let x=_e;b.ori==1&&(x=V,l=x-l),b.dir==-1&&(l=x-l);let S=b._min,M=S+l/x*(b._max-S),I=b.distr;return I==3?Va(10,M):I==4?((z,L=1)=>pn.sinh(z)*L)(M,b.asinh):I==100?
b.bwd(M):M}function qd(l,h){Fe(gs,d,rt.left=l),Fe(gs,n,rt.width=h)}function Hd(l,h){Fe(gs,"top",rt.top=l),Fe(gs,s,rt.height=h)}ct&&rs&&tn(U,En,(l=>{te._lock||(La(
l),Na!=null&&qn(null,bs,!0,yt.setSeries))})),p.valToIdx=l=>An(l,u[0]),p.posToIdx=function(l,h){return An(Hn(l,K,h),u[0],Rt,At)},p.posToVal=Hn,p.valToPos=(l,h,f)=>G[h].
ori==0?k(l,G[h],f?In:_e,f?kn:0):y(l,G[h],f?Oa:V,f?sn:0),p.setCursor=(l,h,f)=>{ot=l.left,ut=l.top,Wa(null,h,f)};let eo=X.ori==0?qd:Hd,to=X.ori==1?qd:Hd;function ni(l,h){
if(l!=null&&(l.idxs?l.idxs.forEach(((f,b)=>{De[b]=f})):(f=>f===void 0)(l.idx)||De.fill(l.idx),le.idx=De[0]),ct&&le.live){for(let f=0;H.length>f;f++)(f>0||g==1&&
!xn)&&ah(f,De[f]);(function(){if(ct&&le.live)for(let f=g==2?1:0;H.length>f;f++){if(f==0&&xn)continue;let b=le.values[f],x=0;for(let S in b)da[f][x++].firstChild.
nodeValue=b[S]}})()}_n=!1,h!==!1&&Pt("setLegend")}function ah(l,h){let f,b=H[l],x=l==0&&ae==2?On:u[l];xn?f=b.values(p,l,h)??ca:(f=b.value(p,h==null?null:x[h],l,
h),f=f==null?ca:{_:f}),le.values[l]=f}function Wa(l,h,f){let b;Fd=ot,Nd=ut,[ot,ut]=te.move(p,ot,ut),te.left=ot,te.top=ut,ft&&(ps&&Nn(ps,jt(ot),0,_e,V),hs&&Nn(hs,
0,jt(ut),_e,V)),Xn=Ze,ma=null;let x=X.ori==0?_e:V,S=X.ori==1?_e:V;if(0>ot||Ft==0||Rt>At){b=te.idx=null;for(let M=0;H.length>M;M++){let I=Cn[M];I!=null&&Nn(I,-10,
-10,_e,V)}rs&&qn(null,bs,!0,l==null&&yt.setSeries),le.live&&(De.fill(b),_n=!0)}else{let M,I,z;g==1&&(M=X.ori==0?ot:ut,I=Hn(M,K),b=te.idx=An(I,u[0],Rt,At),z=fe(u[0][b],
X,x,0));let L=-10,B=-10,ne=0,ze=0,we=!0,me="",ge="";for(let N=g==2?1:0;H.length>N;N++){let he=H[N],He=De[N],bt=He==null?null:g==1?u[N][He]:u[N][1][He],it=te.dataIdx(
p,N,b,I),Je=it==null?null:g==1?u[N][it]:u[N][1][it];if(_n=_n||Je!=bt||it!=He,De[N]=it,N>0&&he.show){let Wt=it==null?-10:it==b?z:fe(g==1?u[0][it]:u[N][0][it],X,x,
0),Kt=Je==null?-10:We(Je,g==1?G[he.scale]:G[he.facets[1].scale],S,0);if(rs&&Je!=null){let Gt=X.ori==1?ot:ut,mt=Ct(Wn.dist(p,N,it,Kt,Gt));if(Xn>mt){let $n=Wn.bias;
if($n!=0){let xt=Hn(Gt,he.scale),lt=0>xt?-1:1;lt!=(0>Je?-1:1)||(lt==1?$n==1?xt>Je:Je>xt:$n==1?Je>xt:xt>Je)||(Xn=mt,ma=N)}else Xn=mt,ma=N}}if(_n||is){let Gt,mt;X.
ori==0?(Gt=Wt,mt=Kt):(Gt=Kt,mt=Wt);let $n,xt,lt,Vt,rn,jn,Qn=!0,ga=Jt.bbox;if(ga!=null){Qn=!1;let gn=ga(p,N);lt=gn.left,Vt=gn.top,$n=gn.width,xt=gn.height}else lt=
Gt,Vt=mt,$n=xt=Jt.size(p,N);if(jn=Jt.fill(p,N),rn=Jt.stroke(p,N),is)N!=ma||Xn>Wn.prox||(L=lt,B=Vt,ne=$n,ze=xt,we=Qn,me=jn,ge=rn);else{let gn=Cn[N];gn!=null&&(ls[N]=
lt,ds[N]=Vt,hl(gn,$n,xt,Qn),ul(gn,jn,rn),Nn(gn,yn(lt),yn(Vt),_e,V))}}}}if(is){let N=Wn.prox;if(_n||(Na==null?N>=Xn:Xn>N||ma!=Na)){let he=Cn[0];he!=null&&(ls[0]=
L,ds[0]=B,hl(he,ne,ze,we),ul(he,me,ge),Nn(he,yn(L),yn(B),_e,V))}}}if(rt.show&&ha)if(l!=null){let[M,I]=yt.scales,[z,L]=yt.match,[B,ne]=l.cursor.sync.scales,ze=l.
cursor.drag;if(Mt=ze._x,Et=ze._y,Mt||Et){let we,me,ge,N,he,{left:He,top:bt,width:it,height:Je}=l.select,Wt=l.scales[B].ori,Kt=l.posToVal,Gt=M!=null&&z(M,B),mt=I!=
null&&L(I,ne);Gt&&Mt?(Wt==0?(we=He,me=it):(we=bt,me=Je),ge=G[M],N=fe(Kt(we,B),ge,x,0),he=fe(Kt(we+me,B),ge,x,0),eo(Mn(N,he),Ct(he-N))):eo(0,x),mt&&Et?(Wt==1?(we=
He,me=it):(we=bt,me=Je),ge=G[I],N=We(Kt(we,ne),ge,S,0),he=We(Kt(we+me,ne),ge,S,0),to(Mn(N,he),Ct(he-N))):to(0,S)}else oi()}else{let M=Ct(Fd-zd),I=Ct(Nd-Ld);if(X.
ori==1){let ne=M;M=I,I=ne}Mt=Nt.x&&M>=Nt.dist,Et=Nt.y&&I>=Nt.dist;let z,L,B=Nt.uni;B!=null?Mt&&Et&&(Mt=M>=B,Et=I>=B,Mt||Et||(I>M?Et=!0:Mt=!0)):Nt.x&&Nt.y&&(Mt||
Et)&&(Mt=Et=!0),Mt&&(X.ori==0?(z=fs,L=ot):(z=ms,L=ut),eo(Mn(z,L),Ct(L-z)),Et||to(0,S)),Et&&(X.ori==1?(z=fs,L=ot):(z=ms,L=ut),to(Mn(z,L),Ct(L-z)),Mt||eo(0,x)),Mt||
Et||(eo(0,0),to(0,0))}if(Nt._x=Mt,Nt._y=Et,l==null){if(f){if(ec!=null){let[M,I]=yt.scales;yt.values[0]=M!=null?Hn(X.ori==0?ot:ut,M):null,yt.values[1]=I!=null?Hn(
X.ori==1?ot:ut,I):null}ao(T,p,ot,ut,_e,V,b)}if(rs){let M=f&&yt.setSeries,I=Wn.prox;Na==null?Xn>I||qn(ma,bs,!0,M):Xn>I?qn(null,bs,!0,M):ma!=Na&&qn(ma,bs,!0,M)}}_n&&
(le.idx=b,ni()),h!==!1&&Pt("setCursor")}p.setLegend=ni;let $a=null;function no(l=!1){l?$a=null:($a=J.getBoundingClientRect(),Pt("syncRect",$a))}function Ud(l,h,f,b,x,S){
te._lock||ha&&l!=null&&l.movementX==0&&l.movementY==0||(ai(l,h,f,b,x,S,0,!1,l!=null),l!=null?Wa(null,!0,!0):Wa(h,!0,!1))}function ai(l,h,f,b,x,S,M,I,z){if($a==null&&
no(!1),La(l),l!=null)f=l.clientX-$a.left,b=l.clientY-$a.top;else{if(0>f||0>b)return ot=-10,void(ut=-10);let[L,B]=yt.scales,ne=h.cursor.sync,[ze,we]=ne.values,[me,
ge]=ne.scales,[N,he]=yt.match,He=h.axes[0].side%2==1,bt=X.ori==0?_e:V,it=X.ori==1?_e:V,Je=He?S:x,Wt=He?x:S,Kt=He?b:f,Gt=He?f:b;if(f=me!=null?N(L,me)?D(ze,G[L],bt,
0):-10:bt*(Kt/Je),b=ge!=null?he(B,ge)?D(we,G[B],it,0):-10:it*(Gt/Wt),X.ori==1){let mt=f;f=b,b=mt}}!z||h!=null&&h.cursor.event.type!=T||(f>1&&_e-1>f||(f=Ra(f,_e)),
b>1&&V-1>b||(b=Ra(b,V))),I?(zd=f,Ld=b,[fs,ms]=te.move(p,f,b)):(ot=f,ut=b)}Object.defineProperty(p,"rect",{get:()=>($a==null&&no(!1),$a)});let si={width:0,height:0,
left:0,top:0};function oi(){No(si,!1)}let Bd,Jd,Kd,Gd;function Vd(l,h,f,b,x,S){ha=!0,Mt=Et=Nt._x=Nt._y=!1,ai(l,h,f,b,x,S,0,!0,!1),l!=null&&(tn(v,Pe,Yd,!1),ao(E,
p,fs,ms,_e,V,null));let{left:M,top:I,width:z,height:L}=rt;Bd=M,Jd=I,Kd=z,Gd=L}function Yd(l,h,f,b,x,S){ha=Nt._x=Nt._y=!1,ai(l,h,f,b,x,S,0,!1,!0);let{left:M,top:I,
width:z,height:L}=rt,B=z>0||L>0,ne=Bd!=M||Jd!=I||Kd!=z||Gd!=L;if(B&&ne&&No(rt),Nt.setScale&&B&&ne){let ze=M,we=z,me=I,ge=L;if(X.ori==1&&(ze=I,we=L,me=M,ge=z),Mt&&
fa(K,Hn(ze,K),Hn(ze+we,K)),Et)for(let N in G){let he=G[N];N!=K&&he.from==null&&he.min!=Ze&&fa(N,Hn(me+ge,N),Hn(me,N))}oi()}else te.lock&&(te._lock=!te._lock,Wa(
h,!0,l!=null));l!=null&&(ss(v,Pe),ao(v,p,ot,ut,_e,V,null))}function Zd(l){te._lock||(La(l),Gr(),oi(),l!=null&&ao(q,p,ot,ut,_e,V,null))}function Xd(){$e.forEach(
Xp),Nr(p.width,p.height,!0)}Ta(ye,Ke,Xd);let vs={};vs.mousedown=Vd,vs.mousemove=Ud,vs.mouseup=Yd,vs.dblclick=Zd,vs.setSeries=(l,h,f,b)=>{(f=(0,yt.match[2])(p,h,
f))!=-1&&qn(f,b,!0,!1)},ft&&(tn(E,J,Vd),tn(T,J,Ud),tn(j,J,(l=>{La(l),no(!1)})),tn(U,J,(function(l){if(te._lock)return;La(l);let h=ha;if(ha){let f,b,x=!0,S=!0,M=10;
X.ori==0?(f=Mt,b=Et):(f=Et,b=Mt),f&&b&&(x=M>=ot||ot>=_e-M,S=M>=ut||ut>=V-M),f&&x&&(ot=fs>ot?0:_e),b&&S&&(ut=ms>ut?0:V),Wa(null,!0,!0),ha=!1}ot=-10,ut=-10,De.fill(
null),Wa(null,!0,!0),h&&(ha=h)})),tn(q,J,Zd),zr.add(p),p.syncRect=no);let Wo=p.hooks=i.hooks||{};function Pt(l,h,f){ei?Qs.push([l,h,f]):l in Wo&&Wo[l].forEach((b=>{
b.call(null,p,h,f)}))}(i.plugins||[]).forEach((l=>{for(let h in l.hooks)Wo[h]=(Wo[h]||[]).concat(l.hooks[h])}));let Qd=(l,h,f)=>f,yt=wt({key:null,setSeries:!1,filters:{
pub:Cl,sub:Cl},scales:[K,H[1]?H[1].scale:null],match:[jl,jl,Qd],values:[null,null]},te.sync);yt.match.length==2&&yt.match.push(Qd),te.sync=yt;let ec=yt.key,ri=dd(
ec);function ao(l,h,f,b,x,S,M){yt.filters.pub(l,h,f,b,x,S,M)&&ri.pub(l,h,f,b,x,S,M)}function ii(){Pt("init",i,u),Rd(u||i.data,!1),pe[K]?ti(K,pe[K]):Gr(),Po=rt.show&&
(rt.width>0||rt.height>0),za=_n=!0,Nr(i.width,i.height)}return ri.sub(p),p.pub=function(l,h,f,b,x,S,M){yt.filters.sub(l,h,f,b,x,S,M)&&vs[l](null,h,f,b,x,S,M)},p.
destroy=function(){ri.unsub(p),zr.delete(p),ua.clear(),vr(ye,Ke,Xd),R.remove(),En?.remove(),Pt("destroy")},H.forEach(Td),$e.forEach((function(l,h){if(l._show=l.
show,l.show){let f=G[l.scale];f==null&&(l.scale=l.side%2?H[1].scale:K,f=G[l.scale]);let b=f.time;l.size=Ee(l.size),l.space=Ee(l.space),l.rotate=Ee(l.rotate),la(
l.incrs)&&l.incrs.forEach((S=>{!ia.has(S)&&ia.set(S,Tl(S))})),l.incrs=Ee(l.incrs||(f.distr==2?xp:b?ce==1?kp:jp:Aa)),l.splits=Ee(l.splits||(b&&f.distr==1?St:f.distr==
3?Mr:f.distr==4?Ep:Mp)),l.stroke=Ee(l.stroke),l.grid.stroke=Ee(l.grid.stroke),l.ticks.stroke=Ee(l.ticks.stroke),l.border.stroke=Ee(l.border.stroke);let x=l.values;
l.values=la(x)&&!la(x[0])?Ee(x):b?la(x)?Bl(Me,Ul(x,dt)):Rl(x)?(function(S,M){let I=jr(M);return(z,L)=>L.map((B=>I(S(B))))})(Me,x):x||Qe:x||Ap,l.filter=Ee(l.filter||
(3>f.distr||f.log!=10?f.distr==3&&f.log==2?zp:_l:Op)),l.font=Cd(l.font),l.labelFont=Cd(l.labelFont),l._size=l.size(p,null,h,0),l._space=l._rotate=l._incrs=l._found=
l._splits=l._values=null,l._size>0&&(Fa[h]=!0,l._el=wn("u-axis",W))}})),m?m instanceof HTMLElement?(m.appendChild(R),ii()):m(p,ii):ii(),p}Bt.assign=wt,Bt.fmtNum=
xr,Bt.rangeNum=xo,Bt.rangeLog=yo,Bt.rangeAsinh=wr,Bt.orient=Ma,Bt.pxRatio=be,Bt.join=function(i,u){if((function(y){let D=y[0][0],A=D.length;for(let R=1;y.length>
R;R++){let P=y[R][0];if(P.length!=A)return!1;if(P!=D){for(let _=0;A>_;_++)if(P[_]!=D[_])return!1}}return!0})(i)){let y=i[0].slice();for(let D=1;i.length>D;D++)y.
push(...i[D].slice(1));return(function(D,A=100){let R=D.length;if(1>=R)return!0;let P=0,_=R-1;for(;_>=P&&D[P]==null;)P++;for(;_>=P&&D[_]==null;)_--;if(P>=_)return!0;
let W=en(1,hn((_-P+1)/A));for(let Z=D[P],J=P+W;_>=J;J+=W){let Y=D[J];if(Y!=null){if(Z>=Y)return!1;Z=Y}}return!0})(y[0])||(y=(function(D){let A=D[0],R=A.length,P=Array(
R);for(let W=0;P.length>W;W++)P[W]=W;P.sort(((W,Z)=>A[W]-A[Z]));let _=[];for(let W=0;D.length>W;W++){let Z=D[W],J=Array(R);for(let Y=0;R>Y;Y++)J[Y]=Z[P[Y]];_.push(
J)}return _})(y)),y}let m=new Set;for(let y=0;i.length>y;y++){let D=i[y][0],A=D.length;for(let R=0;A>R;R++)m.add(D[R])}let p=[Array.from(m).sort(((y,D)=>y-D))],
g=p[0].length,k=new Map;for(let y=0;g>y;y++)k.set(p[0][y],y);for(let y=0;i.length>y;y++){let D=i[y],A=D[0];for(let R=1;D.length>R;R++){let P=D[R],_=Array(g).fill(
void 0),W=u?u[y][R]:1,Z=[];for(let J=0;P.length>J;J++){let Y=P[J],ve=k.get(A[J]);Y===null?W!=0&&(_[ve]=Y,W==2&&Z.push(ve)):_[ve]=Y}fp(_,Z,g),p.push(_)}}return p},
Bt.fmtDate=jr,Bt.tzDate=function(i,u){let m;return u=="UTC"||u=="Etc/UTC"?m=new Date(+i+6e4*i.getTimezoneOffset()):u==wp?m=i:(m=new Date(i.toLocaleString("en-US",
{timeZone:u})),m.setMilliseconds(i.getMilliseconds())),m},Bt.sync=dd;{Bt.addGap=function(u,m,p){let g=u[u.length-1];g&&g[0]==m?g[1]=p:u.push([m,p])},Bt.clipGaps=
Do;let i=Bt.paths={points:$d};i.linear=bd,i.stepped=function(u){let m=Ne(u.align,1),p=Ne(u.ascDesc,!1),g=Ne(u.alignGaps,0),k=Ne(u.extend,!1);return(y,D,A,R)=>Ma(
y,D,((P,_,W,Z,J,Y,ve,ce,H,$e,G)=>{[A,R]=wo(W,A,R);let ee=P.pxRound,{left:K,width:xe}=y.bbox,ke=De=>ee(Y(De,Z,$e,ce)),Te=De=>ee(ve(De,J,G,H)),Ae=Z.ori==0?Qa:es,X={
stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},ae=X.stroke,fe=Z.dir*(Z.ori==0?1:-1),We=Te(W[fe==1?A:R]),pe=ke(_[fe==1?A:R]),Me=pe,dt=pe;k&&m==
-1&&(dt=K,Ae(ae,dt,We)),Ae(ae,pe,We);for(let De=fe==1?A:R;De>=A&&R>=De;De+=fe){let le=W[De];if(le==null)continue;let te=ke(_[De]),ct=Te(le);m==1?Ae(ae,te,We):Ae(
ae,Me,ct),Ae(ae,te,ct),We=ct,Me=te}let St=Me;k&&m==1&&(St=K+xe,Ae(ae,St,We));let[Qe,zt]=Pr(y,D);if(P.fill!=null||Qe!=0){let De=X.fill=new Path2D(ae),le=Te(P.fillTo(
y,D,P.min,P.max,Qe));Ae(De,St,le),Ae(De,dt,le)}if(!P.spanGaps){let De=[];De.push(...Ir(_,W,A,R,fe,ke,g));let le=P.width*be/2,te=p||m==1?le:-le,ct=p||m==-1?-le:le;
De.forEach((ft=>{ft[0]+=te,ft[1]+=ct})),X.gaps=De=P.gaps(y,D,A,R,De),X.clip=Do(De,Z.ori,ce,H,$e,G)}return zt!=0&&(X.band=zt==2?[Vn(y,D,A,R,ae,-1),Vn(y,D,A,R,ae,
1)]:Vn(y,D,A,R,ae,zt)),X}))},i.bars=function(u){let m=Ne((u=u||Ks).size,[.6,Ze,1]),p=u.align||0,g=u.gap||0,k=u.radius;k=k==null?[0,0]:typeof k=="number"?[k,0]:k;
let y=Ee(k),D=1-m[0],A=Ne(m[1],Ze),R=Ne(m[2],1),P=Ne(u.disp,Ks),_=Ne(u.each,(()=>{})),{fill:W,stroke:Z}=P;return(J,Y,ve,ce)=>Ma(J,Y,((H,$e,G,ee,K,xe,ke,Te,Ae,X,ae)=>{
let fe,We,pe=H.pxRound,Me=p,dt=g*be,St=A*be,Qe=R*be;ee.ori==0?[fe,We]=y(J,Y):[We,fe]=y(J,Y);let zt=ee.dir*(ee.ori==0?1:-1),De,le,te,ct=ee.ori==0?Mo:Or,ft=ee.ori==
0?_:(V,et,Lt,Pa,Zn,Ia,Pn)=>{_(V,et,Lt,Zn,Pa,Pn,Ia)},$t=Ne(J.bands,Cr).find((V=>V.series[0]==Y)),En=H.fillTo(J,Y,H.min,H.max,$t!=null?$t.dir:0),ts=pe(ke(En,K,ae,
Ae)),fn=X,gt=pe(H.width*be),mn=!1,da=null,xn=null,ca=null,ns=null;W==null||gt!=0&&Z==null||(mn=!0,da=W.values(J,Y,ve,ce),xn=new Map,new Set(da).forEach((V=>{V!=
null&&xn.set(V,new Path2D)})),gt>0&&(ca=Z.values(J,Y,ve,ce),ns=new Map,new Set(ca).forEach((V=>{V!=null&&ns.set(V,new Path2D)}))));let{x0:as,size:Ys}=P;if(as!=null&&
Ys!=null){Me=1,$e=as.values(J,Y,ve,ce),as.unit==2&&($e=$e.map((et=>J.posToVal(Te+et*X,ee.key,!0))));let V=Ys.values(J,Y,ve,ce);le=Ys.unit==2?V[0]*X:xe(V[0],ee,X,
Te)-xe(0,ee,X,Te),fn=vd($e,G,xe,ee,X,Te,fn),te=fn-le+dt}else fn=vd($e,G,xe,ee,X,Te,fn),te=fn*D+dt,le=fn-te;1>te&&(te=0),le/2>gt||(gt=0),5>te&&(pe=kl);let ua=te>
0;le=pe(_r(fn-te-(ua?gt:0),Qe,St)),De=(Me==0?le/2:Me==zt?0:le)-Me*zt*((Me==0?dt/2:0)+(ua?gt/2:0));let tn={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},
ss=mn?null:new Path2D,Yn=null;if($t!=null)Yn=J.data[$t.series[1]];else{let{y0:V,y1:et}=P;V!=null&&et!=null&&(G=et.values(J,Y,ve,ce),Yn=V.values(J,Y,ve,ce))}let Ea=fe*
le,_e=We*le;for(let V=zt==1?ve:ce;V>=ve&&ce>=V;V+=zt){let et=G[V];if(et==null)continue;if(Yn!=null){let sn=Yn[V]??0;if(et-sn==0)continue;ts=ke(sn,K,ae,Ae)}let Lt=xe(
ee.distr!=2||P!=null?$e[V]:V,ee,X,Te),Pa=ke(Ne(et,En),K,ae,Ae),Zn=pe(Lt-De),Ia=pe(en(Pa,ts)),Pn=pe(Mn(Pa,ts)),kn=Ia-Pn;if(et!=null){let sn=0>et?_e:Ea,In=0>et?Ea:
_e;mn?(gt>0&&ca[V]!=null&&ct(ns.get(ca[V]),Zn,Pn+hn(gt/2),le,en(0,kn-gt),sn,In),da[V]!=null&&ct(xn.get(da[V]),Zn,Pn+hn(gt/2),le,en(0,kn-gt),sn,In)):ct(ss,Zn,Pn+
hn(gt/2),le,en(0,kn-gt),sn,In),ft(J,Y,V,Zn-gt/2,Pn,le+gt,kn)}}return gt>0?tn.stroke=mn?ns:ss:mn||(tn._fill=H.width==0?H._fill:H._stroke??H._fill,tn.width=0),tn.
fill=mn?xn:ss,tn}))},i.spline=function(u){return(function(m,p){let g=Ne(p?.alignGaps,0);return(k,y,D,A)=>Ma(k,y,((R,P,_,W,Z,J,Y,ve,ce,H,$e)=>{[D,A]=wo(_,D,A);let G,
ee,K,xe=R.pxRound,ke=Qe=>xe(J(Qe,W,H,ve)),Te=Qe=>xe(Y(Qe,Z,$e,ce));W.ori==0?(G=Ro,K=Qa,ee=fd):(G=Ao,K=es,ee=md);let Ae=W.dir*(W.ori==0?1:-1),X=ke(P[Ae==1?D:A]),
ae=X,fe=[],We=[];for(let Qe=Ae==1?D:A;Qe>=D&&A>=Qe;Qe+=Ae)if(_[Qe]!=null){let zt=ke(P[Qe]);fe.push(ae=zt),We.push(Te(_[Qe]))}let pe={stroke:m(fe,We,G,K,ee,xe),fill:null,
clip:null,band:null,gaps:null,flags:1},Me=pe.stroke,[dt,St]=Pr(k,y);if(R.fill!=null||dt!=0){let Qe=pe.fill=new Path2D(Me),zt=Te(R.fillTo(k,y,R.min,R.max,dt));K(
Qe,ae,zt),K(Qe,X,zt)}if(!R.spanGaps){let Qe=[];Qe.push(...Ir(P,_,D,A,Ae,ke,g)),pe.gaps=Qe=R.gaps(k,y,D,A,Qe),pe.clip=Do(Qe,W.ori,ve,ce,H,$e)}return St!=0&&(pe.band=
St==2?[Vn(k,y,D,A,Me,-1),Vn(k,y,D,A,Me,1)]:Vn(k,y,D,A,Me,St)),pe}))})(Up,u)}}return Bt})(),rr=Nh;function Ps(e,t){t.style.color=`var(${e})`;let n=getComputedStyle(t).color;return t.style.color="",n}var Oi="11px system-ui, sans-serif",ou=(e,t,n=52)=>({stroke:Ps(
"--ink-faint",e),font:Oi,size:n,values:t,grid:{stroke:Ps("--line",e),width:1},ticks:{show:!1}}),Wh=Array.from({length:16},(e,t)=>[1,2,5].map(n=>n*10**t)).flat();
function qh(e,t,n){let{ctx:s}=e,{left:o,top:r,width:d,height:c}=e.bbox,$=w=>Math.min(Math.max(w,o),o+d);s.save();for(let w of t){let T=e.valToPos(Date.parse(w.at)/
1e3,"x",!0);if(w.kind==="outage"){let E=w.until?e.valToPos(Date.parse(w.until)/1e3,"x",!0):o+d;s.fillStyle=Ps("--bad-soft",n),s.fillRect($(T),r,Math.max($(E)-$(
T),devicePixelRatio),c)}else T>=o&&T<=o+d&&(s.strokeStyle=Ps("--ink-faint",n),s.lineWidth=devicePixelRatio,s.setLineDash([4*devicePixelRatio,3*devicePixelRatio]),
s.beginPath(),s.moveTo(T,r),s.lineTo(T,r+c),s.stroke())}s.restore()}function Hh({marks:e,from:t,to:n}){let s=r=>(r.kind==="start"?Date.parse(r.at):r.until?Date.
parse(r.until):pt())/1e3,o=e.filter(r=>s(r)>=t&&Date.parse(r.at)/1e3<=n);return o.length===0?null:a`<ul class="marks small soft">${o.slice(-4).map(r=>a`<li><i class=${r.
kind}></i><span class="nowrap" title=${It(r.at)}>${ln(r.at)}</span> ${r.says}${r.kind==="outage"&&(r.until?` for ${Zt((Date.parse(r.until)-Date.parse(r.at))/1e3)}`:
", still")}</li>`)}</ul>`}function Ca({data:e,lines:t,height:n=180,values:s,label:o,min:r=1,unit:d,counts:c,marks:$}){let w=qt($);w.current=$;let T=qt(null),E=qt(
null),v=()=>{let j=T.current;E.current?.destroy(),E.current=new rr({tzDate:U=>Sn()?rr.tzDate(new Date(U*1e3),"UTC"):new Date(U*1e3),width:j.clientWidth,height:n,
padding:[8,8,0,0],cursor:{points:{size:6},y:!1},legend:{live:!0},scales:{y:{range:(U,q,re)=>[Math.min(0,q??0),Math.max(re??0,r)*1.1]}},hooks:{drawClear:[U=>qh(U,
w.current??[],j)]},axes:[{...ou(j),size:46,space:70,label:ro(),labelSize:14,labelGap:0,labelFont:Oi,values:(U,q,re,ye,de)=>Ec(q,de)},{...ou(j,(U,q)=>q.map(s??String),
d?66:52),...c?{incrs:Wh}:{},...d?{label:d,labelSize:16,labelGap:0,labelFont:Oi}:{}}],series:[{value:(U,q)=>q?It(q*1e3):""},...t.map(([U,q,re])=>({label:U,stroke:Ps(
q,j),width:1.75,points:{show:!1},value:(ye,de)=>de==null?"":(s??String)(de),...re,...re?.filled?{fill:Ps(re.filled,j)}:{}}))]},e,j)};return Ce(()=>{v();let j=new ResizeObserver(
()=>{E.current&&T.current&&E.current.width!==T.current.clientWidth&&E.current.setSize({width:T.current.clientWidth,height:n})});j.observe(T.current);let U=sr(v);
return()=>{j.disconnect(),U(),E.current?.destroy()}},[]),Ce(()=>{E.current?.setData(e)},[e]),Ce(()=>{E.current?.redraw(!1)},[$]),a`<div class="chart" ref=${T} role="img" aria-label=${o}></div>
    ${$?.length>0&&a`<${Hh} marks=${$} from=${e[0][0]} to=${Math.max(e[0].at(-1)??0,pt()/1e3-60)} />`}`}var zi=()=>rr.paths.bars({size:[.7,26],radius:.15});var Uh=new Intl.Collator("en",{numeric:!0}),Bh=(e,t)=>typeof e=="number"?e-t:Uh.compare(e,t);function ru(e,t,n){let[,s,o]=/^(-?)(.*)$/.exec(na().params[n]??""),
r=e.find(c=>c.key===o&&c.value);return[Yt(()=>{if(!r)return t;let c=t.filter($=>r.value($)!=null).sort(($,w)=>Bh(r.value($),r.value(w)));return[...s?c.reverse():
c,...t.filter($=>r.value($)==null)]},[t,o,s]),e.map(c=>a`<${Jh} key=${c.key} c=${c} name=${n} way=${c===r?s?"descending":"ascending":"none"} />`)]}function Jh({
c:e,name:t,way:n}){if(!e.value)return a`<th class=${e.num?"num":""} title=${e.meaning}>${e.title}</th>`;let s={none:e.num?"-"+e.key:e.key,descending:e.num?e.key:
"",ascending:e.num?"":"-"+e.key}[n];return a`<th class=${e.num?"num":""} aria-sort=${n}><button class="sort" title=${e.meaning??"Sort by this column"} onClick=${()=>tt(
{[t]:s})}>${e.title}<span aria-hidden="true">${{none:"",ascending:" ▲",descending:" ▼"}[n]}</span></button></th>`}function Is({columns:e,rows:t,id:n,href:s,
label:o}){let[r,d]=ru(e,t,"sort");return a`<table class="cards" aria-label=${o}><thead><tr>${d}</tr></thead><tbody>
    ${r.map(c=>a`<tr key=${n(c)} data-href=${s?.(c)}>${e.map($=>a`<td class=${`${$.num?"num":""} ${$.look??""}`} data-name=${$.card===!1?void 0:$.title}>${$.cell(
c)}</td>`)}</tr>`)}</tbody></table>`}var Kh=e=>typeof e=="string"&&e.toLowerCase().replace(/[^a-z0-9]+/g,"-");function nt({columns:e,rows:t,name:n="sort",look:s="\
cards",first:o,children:r}){let[d,c]=ru(e.map(([$,w,T,E])=>({key:Kh($),title:$,value:w,num:T,meaning:E})),t,n);return a`<table class=${s}><thead><tr>${o}${c}</tr></thead><tbody>${d.
map(r)}</tbody></table>`}var ir=e=>e.replace(/^segment /,"Segment ").replace(/^target /,"Devices of "),Qt=e=>e.name?`${e.name} (${e.target.replace(/^segment /,"")})`:ir(e.target),Li=({c:e})=>e?
a`<span class="nowrap"><span class="good-ink">+${C(e.added)}</span> <span class=${e.large?"bad-ink":e.removed?"":"faint"}>−${C(e.removed)}</span></span>`:a`<span class="faint none">–</span>`,
Fi=e=>/^\d/.test(e.every)?`every ${e.every.replace(/(\d)([a-z])/g,"$1 $2")}`:e.every;function Ni({f:e}){return e?e.paused?a`<span class="badge warn">paused</span>`:
e.held?a`<span class="badge warn">export held</span>`:e.late?a`<span class="badge bad">late</span> <span class="small"><${Ts} at=${e.late} /></span>`:e.next?a`next export <${oe} at=${e.
next} />`:a`<span class="soft">looks ${Fi(e)}</span>`:a`<span class="faint">no feed</span>`}var Gh=[{key:"name",title:"Audience",card:!1,value:e=>Qt(e),cell:e=>a`<a class="id" href=${se(
"audiences",e.target)}>${Qt(e)}</a>${e.problems.slice(0,2).map(t=>a`<div class="note ${t.level==="bad"?"bad-ink":""}"><${Dt} text=${t.says} /></div>`)}`},{key:"\
size",title:"Ids",num:!0,value:e=>e.size,meaning:qe.ids,cell:e=>e.size===null?a`<span class="faint">not known</span>`:a`<b>${C(e.size)}</b><div class="note">${e.
sizeOf==="ledger"?"in the ledger":"on the platform"}</div>`},{key:"change",title:"Last change",num:!0,meaning:qe.change,value:e=>e.last&&Date.parse(e.last.at),cell:e=>a`<${Li} c=${e.
last} />${e.last&&a`<div class="note"><${oe} at=${e.last.at} /></div>`}`},{key:"expiry",title:"Expiry",num:!0,value:e=>e.expiry,meaning:"Days after which a memb\
er leaves the segment unless it is uploaded again",cell:e=>e.expiry?F(e.expiry,"day"):a`<span class="faint none">–</span>`},{key:"feed",title:"Feed",value:e=>e.
feed?.name,cell:e=>a`<div>${e.feed&&a`<b>${e.feed.name}</b> `}<${Ni} f=${e.feed} /></div>`},{key:"ledger",title:"Ledger from",num:!0,value:e=>e.ledger&&Date.parse(
e.ledger.at),meaning:"When the last mirror has set what usher knows of its ids",cell:e=>e.ledger?a`<${oe} at=${e.ledger.at} />${e.ledger.changed&&a`<div class="note">changed since</div>`}`:
a`<span class="faint">none</span>`},{key:"open",title:"Open jobs",num:!0,value:e=>e.open,meaning:qe.open,cell:e=>e.open?C(e.open):a`<span class="faint">0</span>`}];
function iu({params:e}){let t=Se("/api/audiences",["audiences","letters"]);return a`<${Ue} title="Audiences" acts=${a`<a class="button" href="#/audiences/overlap">Overlaps</a>`} sub="The segments and device lists that jobs and feeds fill: how large they are, what changed last, and what is wrong.">
    <${ht} result=${t}>${({audiences:n,looking:s})=>{let o=n.filter(c=>c.problems.length>0),r=(e.text??"").toLowerCase(),d=(e.only==="problems"?o:n).filter(c=>`${Qt(
c)} ${ir(c.target)} ${c.feed?.name??""}`.toLowerCase().includes(r));return a`<div class="filters"><${Dn} label="Search audience or feed …" value=${e.text} onText=${c=>tt(
{text:c})} />
        <${ka} label="Which" value=${e.only} onPick=${c=>tt({only:c})} options=${[["","All",Rs(n.length,s)],["problems","With problems",o.length]]} /></div>
        <${Q} flush>${d.length===0?a`<${Re} title=${s?"No audience found so far":n.length?"No audience matches":"No audiences yet"}>${s?"Older jobs are being re\
ad.":n.length?"Remove a filter to see others.":"A segment appears here with its first job or feed."}<//>`:a`<${Is} label="Audiences" columns=${Gh} rows=${d} params=${e} id=${c=>c.
target} href=${c=>se("audiences",c.target)} /><div class="foot">${F(d.length,"audience")}</div>`}<${Ds} l=${s} /><//>`}}<//>
  <//>`}var lr=[["accepted","Accepted"],["unchanged","Unchanged"],["duplicate","Duplicate"],["suppressed","Suppressed"],["withheld","Withheld"],["junk","Junk"],["invali\
d","Invalid"],["refused","Refused"]],Ba=e=>typeof e=="number"?e:Object.values(e??{}).reduce((t,n)=>t+n,0);function Vh({tally:e}){let t=e.read||1,n=lr.filter(([s])=>Ba(
e[s])).map(([s,o])=>`${o.toLowerCase()} ${C(Ba(e[s]))}`).join(", ");return a`<div class="bar" role="img" aria-label=${n||"no rows yet"}>
    ${lr.map(([s])=>Ba(e[s])>0&&a`<i class="c-${s}" style=${{flexGrow:Ba(e[s])/t}}></i>`)}
  </div>`}function lu({tally:e,dryRun:t}){let n=lr.reduce((s,[o])=>s+Ba(e[o]),0);return a`<${Vh} tally=${e} />
    <div class="legend">
      ${lr.map(([s,o])=>a`<div class="key" key=${s}>
        <i class="c-${s}"></i><span>${s==="accepted"&&t?"Would be sent":o}</span><b>${C(Ba(e[s]))}</b>
        ${typeof e[s]=="object"&&Ba(e[s])>0&&a`<div class="reasons">
          ${Object.entries(e[s]).sort((r,d)=>d[1]-r[1]).map(([r,d])=>a`<span>${aa(r)}<span>${C(d)}</span></span>`)}</div>`}
      </div>`)}
    </div>
    <div class="sum"><span class="soft">Sum of all columns</span>
      <span><b>${C(n)}</b> ${n===e.read?a`<span class="good-ink">= ${F(e.read,"row")} read</span>`:a`<span class="bad-ink">but ${F(e.read,"row")} read: please report this</span>`}</span></div>`}var Yh={queued:"queued",running:"running",retrying:"waiting for the next attempt"},Wi=e=>["done","failed","cancelled"].includes(e);function Zh(e,t,n){let s=new Map;
for(let o of t)s.has(o.run)||s.set(o.run,[]),s.get(o.run).push(o);return[...s].map(([o,r])=>{let d=r.map(E=>({state:E.state,at:Date.parse(E.at)}));o===1&&Date.parse(
e.submitted)<d[0].at&&d.unshift({state:"queued",at:Date.parse(e.submitted)});let c=d.at(-1),$=Wi(c.state)?c.at:Math.max(n,c.at),w=0,T=d.filter(E=>!Wi(E.state)).
map((E,v)=>(E.state==="running"&&d[v-1]?.state!=="running"&&w++,{...E,attempt:w,long:((d[v+1]?.at??$)-E.at)/1e3}));return{run:o,phases:Xh(T),from:d[0].at,to:$,end:Wi(
c.state)?c.state:""}})}function Xh(e){let t=[];for(let n of e){let s=t.at(-1);s?.state===n.state?s.long+=n.long:t.push({...n})}return t}var qi=e=>Yh[e.state]+(e.
state==="running"&&e.attempt>1?`, attempt ${C(e.attempt)}`:"");function Qh({r:{run:e,phases:t,from:n,to:s,end:o},many:r}){let d=Math.max((s-n)/1e3,.001),c=t.map(
$=>`${qi($)} ${Zt($.long)}`).join(", then ");return a`<figure class="run">${r&&a`<figcaption class="small strong">Run ${C(e)}</figcaption>`}
    <div class="phases" role="img" aria-label=${`${c}${o?`; ended ${o}`:""}`}>${t.map(($,w)=>a`<i key=${w} class=${$.state} style=${{flexGrow:Math.max($.long/d,
.01)}} title=${`${qi($)}: ${Zt($.long)}`}></i>`)}${o&&a`<b class=${Pi(o)}></b>`}</div>
    <div class="ends small faint"><span title=${It(n)}>${ln(n)}</span><span>${o||"now"} after ${Zt(d)}</span></div>
    <ul class="small soft">${t.slice(0,12).map($=>a`<li><i class="dot ${$.state}"></i>${qi($)} <b>${Zt($.long)}</b></li>`)}${t.length>12&&a`<li>and ${C(t.length-
12)} more phases</li>`}</ul></figure>`}function du({r:e,history:t}){let n=Ss(),s=t.length?t:[{state:e.state,at:e.submitted,run:e.run}],o=Zh(e,s,n),r=s.filter(d=>d.
error).slice(-5);return a`<${Q} title="Timeline">
    ${o.slice(-6).map(d=>a`<${Qh} key=${d.run} r=${d} many=${o.length>1||d.run>1} />`)}
    ${o.length>6&&a`<p class="small faint">${C(o.length-6)} earlier runs are not shown</p>`}
    ${r.map(d=>a`<div class="small break"><span class="bad-ink" title=${d.error.class}>${Ht(d.error.class)}</span> <${oe} at=${d.at} /></div>`)}<//>`}var ja=e=>JSON.stringify(e).slice(1,-1).replaceAll('\\"','"'),ef={",":"comma",";":"semicolon","	":"tab","|":"bar"," ":"space"};function tf(e){let[t,n]=[e.slice(
0,e.indexOf(":")),e.slice(e.indexOf(":")+1)];return t==="except"?a`members of <a href=${se("audiences",n.replace("campaign/","target ").replace("/"," "))}>${n}</a>`:
`held out by the key “${n}”`}function cu(e){let{column:t}=e,n=["parquet","avro","xlsx"].includes(e.format)?"":`, ${e.encoding}`,s=["csv","xlsx"].includes(e.
format),o=s&&t.number>0,r=e.format==="text"?"every line":"every value",d=e.files>1?`, ${F(e.files,"file")}`:"";return a`<dt>Format</dt><dd>${e.format}${n}${e.compression===
"none"?"":`, ${e.compression}`}${d}</dd>
    ${e.sheet&&a`<dt>Sheet</dt><dd>${ja(e.sheet)}</dd>`}
    ${e.delimiter&&a`<dt>Delimiter</dt><dd>${ef[e.delimiter]??a`<code>${ja(e.delimiter)}</code>`}</dd>`}
    ${e.quote&&a`<dt>Quotes</dt><dd>${e.quote}, escape ${e.escape}</dd>`}
    ${e.skip!==0&&a`<dt>Skipped</dt><dd>${typeof e.skip=="number"?`the first ${F(e.skip,"line")}`:a`lines that begin with <code>${ja(e.skip)}</code>`}</dd>`}
    ${(s||e.format==="text")&&a`<dt>Header</dt><dd>${e.header?"yes":"no"}</dd>`}
    <dt>Ids in</dt><dd>${t.name&&a`<b>${ja(t.name)}</b>`}${t.name&&o?", ":""}${o&&`column ${C(t.number)}`}${e.format==="text"&&t.name?", ":""}${e.format==="text"||
!t.name&&!o?r:""}
      ${t.why&&a`<div class="faint small"><${Tt} text=${t.why} /></div>`}</dd>
    ${e.typeColumn&&a`<dt>Types in</dt><dd>${ja(e.typeColumn)}</dd>`}
    ${e.withheld?.map(c=>a`<dt>Left out</dt><dd>${F(c.count,"id")}: ${tf(c.reason)}${c.at&&a`<div class="note">as of its generation ${C(c.generation)}, <${oe} at=${c.
at} /></div>`}</dd>`)}
`}var uu=({u:e})=>a`<${Q} title="How the export was read"><dl class="facts">${cu(e)}</dl><//>`,nf={idfa:"IDFA",aaid:"AAID",android_id:"ANDROID_ID",md5:"MD5 hash\
es"};function pu({m:e}){if(!e)return null;let{beside:t={}}=e.understood,n=Object.entries(e.dropped).sort();return a`<${Q} title="Last good export"><p class="soft small">The next export is compared with it. If it is read in another way, or more of its rows have no usable id, nothing is sent before somebody approves it.</p>
    <dl class="facts">
      <dt>By job</dt><dd class="break"><a href=${se("jobs",e.job)}>${e.job}</a></dd>
      <dt>Since</dt><dd><${oe} at=${e.at} />${e.approvedBy&&`, approved by ${e.approvedBy}`}</dd>
      <dt>Rows</dt><dd>${C(e.rows)}</dd>
      ${cu(e.understood)}
      ${e.understood.kind&&a`<dt>Kind of ids</dt><dd>${nf[e.understood.kind]??e.understood.kind}</dd>`}
      ${t.typeValues&&a`<dt>Types</dt><dd>${t.typeValues.map(ja).join(", ")}</dd>`}
      ${t.columns&&a`<dt>Beside</dt><dd class="break">${t.columns.map(ja).join(", ")}</dd>`}
      ${n.length>0&&a`<dt>Left out</dt><dd>${n.map(([s,o])=>a`<div>${s.startsWith("withheld.")?ja(s.replace("."," by ")):aa(s.replace(/^(junk|invalid)\./,""))} ${(100*
o/e.rows).toFixed(1)} %</div>`)}</dd>`}
    </dl><//>`}var Hi=e=>["done","failed","cancelled"].includes(e);function hu(e){let t=Se("/api/jobs/"+encodeURIComponent(e),["job "+e]),[n,s]=O(!1),o=t.data?.record,r=o&&a`<${sa} is=${o.
state} /> <${Tn} kind=${o.kind} target=${t.data.target} name=${o.targetName} />${o.run>1?` · run ${o.run}`:""}`,d=o&&a`
    ${o.state==="failed"&&a`<a class="button" href=${$u(e)}>Fix and replay …</a>`}
    ${!Hi(o.state)&&Ge("operator")&&a`<button class="danger" onClick=${()=>s(!0)}>Cancel job</button>`}`,c=a`<${ht} result=${t}>${$=>a`<${af} page=${$} />`}<//>
    ${n&&a`<${Ui} ids=${[e]} onClose=${()=>s(!1)} onDone=${t.reload} />`}`;return{sub:r,acts:d,body:c}}function fu({id:e}){let{sub:t,acts:n,body:s}=hu(e);return a`<${Ue} title=${e} crumb=${a`<a href="#/jobs">Jobs</a>`} sub=${t} acts=${n}>${s}<//>`}
function mu({id:e,onClose:t}){let{sub:n,acts:s,body:o}=hu(e),r=qt(null);return Ce(()=>{r.current?.focus({preventScroll:!0});let d=c=>{c.key==="Escape"&&!document.
querySelector("dialog[open]")&&t()};return window.addEventListener("keydown",d),()=>{window.removeEventListener("keydown",d),document.querySelector(`a.id[href$=\
"job=${CSS.escape(encodeURIComponent(e))}"]`)?.focus({preventScroll:!0})}},[]),a`<aside class="drawer" aria-label=${`Job ${e}`}>
    <div class="head"><div class="title"><h2 tabindex="-1" ref=${r}>${e}</h2><div class="sub">${n}</div></div>
      <div class="acts">${s}<a class="button" href=${se("jobs",e)}>Open page</a><button class="bare" onClick=${t} aria-label="Close the job">✕</button></div></div>
    <div class="stack">${o}</div></aside>`}function Ui({ids:e,onClose:t,onDone:n}){let[s,o]=O(""),r=e.length===1?"Cancel this job?":`Cancel ${F(e.length,"job")}\
?`,d=async()=>{if(e.length===1)await Ie(`/api/jobs/${encodeURIComponent(e[0])}/cancel`,{reason:s}),Ye(`Job ${e[0]} is cancelled`);else{let{cancelled:c,left:$}=await Ie(
"/api/jobs/cancel",{ids:e,reason:s});Ye(`${F(c,"job")} cancelled${$.length?`; ${C($.length)} not: ${$[0].why}`:""}`,$.length>0)}n()};return a`<${Ve} title=${r} act=${e.
length===1?"Cancel job":`Cancel ${F(e.length,"job")}`} dismiss=${e.length===1?"Keep job":"Keep jobs"} danger onClose=${t} onAct=${d}>
    <p>Requests in flight are aborted within ten seconds. Ids that the platform has accepted stay there. A cancelled job leaves no dead letter.</p>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${s} onInput=${c=>o(c.target.value)} data-first /><//><//>`}
var $u=e=>"#/letters?id="+encodeURIComponent(e);function af({page:e}){let t=e.record,n=t.job??{},s=Ua({...t,accepted:t.tally.accepted,dryRun:n.dryRun});return a`
    ${t.consequence&&a`<${ue} level=${t.consequence.large?"bad":""} says=${`${bn(e.target,t.targetName)}: ${s}`} hint=${t.consequence.large?`It ${n.dryRun?"woul\
d remove":"has removed"} more than half of what maxRemovePercent allows, ${n.maxRemovePercent??20} % of the members. If that is not right, usher ledger rollback\
 brings back the generation before.`:""} />`}
    ${t.error&&a`<${ue} level="bad" says=${a`<span title=${t.error.class}>${Ht(t.error.class)}</span>: <${Dt} text=${t.error.message} />`} hint=${t.error.hint} of=${t.
error.class} to=${t.state==="failed"?$u(t.id):""} />`}
    ${t.why&&!Hi(t.state)&&a`<${ue} level=${t.state==="running"?"":"warn"} says=${t.why} hint=${{queued:"The job has not started for this reason.",retrying:"The\
 job waits for this before its next attempt."}[t.state]}>${t.waitsFor?.job&&a`<div class="hint">Job <a class="id" href=${se("jobs",t.waitsFor.job)}>${t.waitsFor.
job}</a> comes first.</div>`}<//>`}
    <div class="grid two-one">
      <div class="stack">
        ${e.parts?.length||t.parts.total>1?a`<${rf} r=${t} parts=${e.parts??[]} />`:null}
        ${(t.tally.read>0||sf(t))&&a`<${Q} title="Where every row went" side=${n.dryRun&&a`<span class="tag">dry run</span>`}><${lu} tally=${t.tally} dryRun=${n.
dryRun} /><//>`}
        ${t.warnings.length>0&&a`<${Q} title="Warnings" flush><${nt} name="warnings" rows=${t.warnings} columns=${[["What",o=>o.description],["Times",o=>o.count,
!0]]}>${o=>a`<tr><td class="break whole" title=${o.code}><${Tt} text=${o.description} /></td><td class="num" data-name="Times">${C(o.count)}</td></tr>`}<//><//>`}
        ${t.samples.length>0&&a`<${of} all=${t.samples} />`}
        <${Q}><details><summary>The job as it was published</summary><pre class="block">${JSON.stringify(n,null,2)}</pre></details><//>
      </div>
      <div class="stack"><${lf} r=${t} target=${e.target} />${t.understood&&a`<${uu} u=${t.understood} />`}<${du} r=${t} history=${e.history} /></div>
    </div>`}var sf=e=>["segment.add","segment.remove","segment.mirror","target.add","target.replace","target.mirror"].includes(e.kind)&&Hi(e.state)&&e.state==="\
done";function of({all:e}){let[t,n]=O(!1),s=6;return a`<${Q} title="Samples of dropped rows" flush side=${a`<span class="faint small">masked</span>`}>
    <${nt} look="" name="samples" rows=${e.slice(0,t?e.length:s)} columns=${[["Row",o=>o.row,!0],["Dropped as",o=>o.reason],["Masked"]]}>${o=>a`<tr><td class="num">${C(
o.row)}</td><td title=${o.reason}>${aa(o.reason)}</td><td class="mono break">${o.masked}</td></tr>`}<//>
    ${!t&&e.length>s&&a`<div class="foot"><span>${s} of ${C(e.length)}</span><button class="small" onClick=${()=>n(!0)}>Show all</button></div>`}<//>`}function rf({
r:e,parts:t}){let n=new Map(t.map(r=>[r.number,r])),{total:s,done:o}=e.parts;return a`<${Q} title="Parts" side=${a`<span class="soft">${C(o)} of ${C(s)} done</span>`}>
    <progress max=${s} value=${o} aria-label="Parts done"></progress>
    <div class="parts" style=${{marginTop:"12px"}} aria-hidden="true">${Array.from({length:s},(r,d)=>{let c=n.get(d)??(o===s?{state:"done",read:null}:void 0);return a`<i key=${d} class=${c?.
state??""} title=${`part ${d+1}: ${c?c.state+(c.read===null?"":`, ${C(c.read)} rows`):"waiting"}`}></i>`})}</div><//>`}function lf({r:e,target:t}){let n=e.kind.
startsWith("segment.")||e.kind.startsWith("rules.")?"":t.split(" ")[1];return a`<${Q} title="Facts"><dl class="facts">
    <dt>Target</dt><dd>${n?a`<a href=${se("campaigns",n)}>${bn(t)}</a>`:e.kind.startsWith("segment.")?a`<a href=${se("audiences",t)}>${bn(t,e.targetName)}</a>`:
bn(t)}</dd>
    <dt>Submitted</dt><dd><${oe} at=${e.submitted} /></dd>
    ${e.started&&a`<dt>Started</dt><dd><${oe} at=${e.started} /></dd>`}
    ${e.finished&&a`<dt>Finished</dt><dd><${oe} at=${e.finished} />${e.started&&a` <span class="faint">after ${Zt((new Date(e.finished)-new Date(e.started))/1e3)}</span>`}</dd>`}
    <dt>Attempts</dt><dd>${C(e.attempts)}${e.crashes>0&&a`, <span class="bad-ink">${F(e.crashes,"crash","crashes")}</span>`}</dd>
    ${e.batches>0&&a`<dt>Sent</dt><dd>${F(e.batches,"batch","batches")}, ${ks(e.bytes)}</dd>`}
    ${e.distinct>0&&a`<dt>Distinct ids</dt><dd>${e.kind.endsWith(".mirror")?"":"about "}${C(e.distinct)}</dd>`}
    ${e.new!==void 0&&a`<dt title=${qe.new}>New</dt><dd>${e.new?C(e.new):"none: all were members before"}</dd>`}
    ${(e.numberOfIds.before>0||e.numberOfIds.after>0)&&a`<dt>On the platform</dt><dd>${C(e.numberOfIds.before)} before, ${C(e.numberOfIds.after)} after</dd>`}
    ${e.job?.actor&&a`<dt>Actor</dt><dd>${e.job.actor}</dd>`}
    ${e.job?.reason&&a`<dt>Reason</dt><dd>${e.job.reason}</dd>`}
    <dt>Who did what</dt><dd><a href=${"#/audit"+je({job:e.id})}>In the audit</a></dd>
  </dl><//>`}var Ji=[["","All kinds"],...Object.entries(po).map(([e,[t]])=>[e,t])],df=["queued","running","retrying","done","failed","cancelled"],cf=50,uf=[["","All times"],
["1","Last hour"],["24","Last 24 hours"],["168","Last 7 days"],["720","Last 30 days"],["days","From … to …"]],mo=e=>["done","failed","cancelled"].includes(e);
function pf({span:e,from:t,to:n}){return e==="days"?{since:t&&ki(t),until:n&&ki(n,1)}:{since:e&&new Date(Math.floor(pt()/6e4)*6e4-Number(e)*36e5).toISOString()}}
function bu({params:e}){let t={state:e.state,kind:e.kind,text:e.text,target:e.target,...pf(e)},n=Se("/api/jobs"+je({...t,after:e.after,limit:cf}),["jobs"]),[s,o]=O(
[]),[r,d]=O(!1),c=n.data??n.stale,$=c?Object.values(c.states).reduce((j,U)=>j+U,0):void 0,w=j=>{o([]),tt({after:"",...j})},T=c?.jobs.filter(j=>!mo(j.state)).map(
j=>j.id)??[],E=s.filter(j=>T.includes(j)),v={...e,job:""};return a`<${Ue} title="Jobs" sub="All jobs and their results, newest first.">
    <div class="filters">
      <${Dn} label="Search id, target, error …" value=${e.text} onText=${j=>w({text:j})} />
      <${Kn} label="Kind" value=${e.kind} onPick=${j=>w({kind:j})} options=${Ji} />
      <${Kn} label="Submitted" value=${e.span} onPick=${j=>w({span:j,from:"",to:""})} options=${uf} />
      ${e.span==="days"&&a`<input type="date" aria-label="First day" value=${e.from??""} onChange=${j=>w({from:j.target.value})} /><input type="date" aria-label="Last day" value=${e.
to??""} onChange=${j=>w({to:j.target.value})} />`}
    </div>
    <${ka} label="State" value=${e.state} onPick=${j=>w({state:j})}
      options=${[["","All",$],...df.map(j=>[j,j[0].toUpperCase()+j.slice(1),c&&(c.states[j]??0),qe[j]])].map(([j,U,q,re])=>[j,U,q==null?void 0:Object.values(t).
some(Boolean)?Rs(q,c.looking):C(q),re])} />
    ${e.target&&a`<div><button class="small" onClick=${()=>w({target:""})} aria-label="Remove the filter target">${e.target} ×</button></div>`}
    ${n.error&&a`<${Xt} says=${n.error} retry=${n.reload} />`}
    <section class="card">${c?a`<${hf} list=${c} filtered=${Object.values(t).some(Boolean)} params=${v} chosen=${E} choose=${o} />
      <${Ds} l=${c.looking} />
      ${(c.jobs.length>0||e.after)&&a`<div class="foot"><span>${C(c.jobs.length)} of ${F(c.total,"job")}${c.looking&&c.total<=c.jobs.length?" so far":""}${c.more&&
!c.next?"; choose a time to see older ones":""}</span>
        <span class="acts">${e.after&&a`<a class="button small" href=${"#/jobs"+je({...v,after:""})}>Newest</a>`}
        ${c.next&&a`<a class="button small" href=${"#/jobs"+je({...v,after:c.next})}>Older</a>`}</span></div>`}`:!n.error&&a`<${nn} />`}</section>
    ${E.length>0&&a`<div class="selection" role="group" aria-label="Actions on the selected jobs"><span class="says"><b>${F(E.length,"job")}</b> selected</span>
      <button class="bare" onClick=${()=>o([])}>Clear</button><button class="danger" onClick=${()=>d(!0)}>Cancel ${F(E.length,"job")} …</button></div>`}
    ${r&&a`<${Ui} ids=${E} onClose=${()=>d(!1)} onDone=${()=>o([])} />`}
    ${e.job&&a`<${mu} id=${e.job} key=${e.job} onClose=${()=>tt({job:""})} />`}
  <//>`}function hf({list:e,filtered:t,params:n,chosen:s,choose:o}){return e.jobs.length===0?e.looking?a`<${Re} title="No job found so far">Older jobs are being read.<//>`:
t||n.after?a`<${Re} title="No job matches">Remove a filter to see other jobs.<//>`:a`<${Re} title="No jobs yet">Jobs are published by programs, by feeds and by rules, and appear here at once.<${xa}>usher submit segment.add --segment 1 --profile idfa export.csv<//><//>`:
a`<${Ki} jobs=${e.jobs} href=${r=>"#/jobs"+je({...n,job:r})} chosen=${Ge("operator")&&e.jobs.some(r=>!mo(r.state))?s:null} choose=${o} />`}var Bi="Sort the rows\
 on this page",ff=[["Job",e=>e.id,!1,Bi],["State",e=>e.state,!1,Bi],["Rows",e=>e.read,!0,qe.read],["Accepted",e=>e.accepted,!0,qe.accepted],["Submitted",e=>Date.
parse(e.submitted),!0,Bi]];function Ki({jobs:e,href:t=o=>se("jobs",o),chosen:n,choose:s}){let o=e.filter(d=>!mo(d.state)).map(d=>d.id),r=d=>s(n.includes(d)?n.filter(
c=>c!==d):[...n,d]);return a`<${nt} look=${`cards ${n?"ticks":""}`} rows=${e} columns=${ff}
    first=${n&&a`<th class="tick"><input type="checkbox" aria-label="Select all jobs on this page that have not ended" checked=${n.length===o.length} onChange=${()=>s(
n.length===o.length?[]:o)} /></th>`}>${d=>a`<tr key=${d.id} data-href=${t(d.id)}>
      ${n&&a`<td class="tick">${!mo(d.state)&&a`<input type="checkbox" aria-label=${`Select job ${d.id}`} checked=${n.includes(d.id)} onChange=${()=>r(d.id)} />`}</td>`}
      <td><a class="id" href=${t(d.id)}>${d.id}</a><div class="note"><${Tn} kind=${d.kind} target=${d.target} name=${d.targetName} />${d.run>1?` · run ${d.run}`:
""}</div>
        ${d.state==="running"?a`<${Gi} row=${d} />`:a`<${mf} row=${d} />`}</td>
      <td><${sa} is=${d.state} /></td>
      <td class="num" data-name="Rows">${d.read?C(d.read):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Accepted">${d.accepted?C(d.accepted):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Submitted"><div><${oe} at=${d.submitted} />${gu(d)&&a`<div class="note">took ${gu(d)}</div>`}</div></td>
    </tr>`}<//>`}var gu=e=>e.started&&e.finished&&Zt((new Date(e.finished)-new Date(e.started))/1e3);function mf({row:e}){if(e.error)return a`<div class="note"><span class="bad-ink" title=${e.
error.class}>${Ht(e.error.class)}</span>: <${Dt} text=${e.error.message} /></div>`;if(e.why)return a`<div class="note"><${Tt} text=${e.why} /></div>`;let t=mo(e.
state)&&(Ua(e)||e.rejected);return!t&&!e.warnings?null:a`<div class="note">${t&&a`<${Es} r=${e} />`}${t&&e.warnings>0&&"; "}${e.warnings>0&&F(e.warnings,"warnin\
g")}</div>`}function $f(e){let t=qt({read:0,at:Date.parse(e.started),rate:0});return Yt(()=>{let{read:n,at:s}=t.current,o=(Date.now()-s)/1e3;return e.read>n&&o>=
1&&(t.current={read:e.read,at:Date.now(),rate:(e.read-n)/o}),t.current.rate},[e.read])}function Gi({row:e}){let t=Ss(),n=$f(e);if(e.state!=="running")return a`<div class="note"><${Tt} text=${e.
why||"waits for its next attempt"} /></div>`;let{total:s,done:o}=e.parts,r=s>1?o/s:null,d=r>0&&e.started?(t-Date.parse(e.started))/1e3*(1-r)/r:null,c=[r!==null&&
`${Math.floor(100*r)} %, ${C(o)} of ${C(s)} parts`,e.read>0&&`${C(e.read)} rows`,n>=1&&`${C(n)} rows/s`,d!==null&&`about ${Zt(Math.max(d,1))} left`].filter(Boolean);
return a`${r!==null&&a`<progress max=${s} value=${o} aria-label="Parts done"></progress>`}<div class="note">${e.why?a`<${Tt} text=${e.why} />`:c.join(" · ")||"\
started"}</div>`}var gf=10,vu=(e,t)=>t?100*e/t:0,dr=(e,t)=>`${vu(e,t).toFixed(1)} %`,bf=e=>(e.of??"").split(",").filter(Boolean);function wu({params:e}){let t=Se("/api/audiences",
["audiences"]),n=bf(e);return a`<${Ue} title="Overlaps" crumb=${a`<a href="#/audiences">Audiences</a>`} sub="How many members audiences have in common, counted from usher's ledgers. Choose 2 to 10 that have one.">
    <${ht} result=${t}>${({audiences:s})=>a`<${vf} audiences=${s} of=${n} />`}<//>
    ${n.length<2?a`<${Q}><${Re} title="Choose two audiences">Then the members of both are counted.<//><//>`:a`<${wf} of=${n} key=${n.join()} />`}
  <//>`}function vf({audiences:e,of:t}){let n=e.filter(o=>o.ledger||t.includes(o.target));if(n.length===0)return a`<${Q}><${Re} title="No audience has a ledger">The first mirror of a segment or campaign makes one.<//><//>`;
let s=o=>tt({of:(t.includes(o)?t.filter(r=>r!==o):[...t,o]).join(",")});return a`<div class="picks" role="group" aria-label="Audiences">${n.map(o=>a`<button class="small" key=${o.
target} aria-pressed=${t.includes(o.target)} disabled=${!t.includes(o.target)&&t.length>=gf} onClick=${()=>s(o.target)}>${Qt(o)}</button>`)}</div>`}function wf({
of:e}){let t=Se("/api/overlap?"+e.map(n=>"target="+encodeURIComponent(n)).join("&"),[]);return a`<${ht} result=${t}>${n=>a`
    ${n.audiences.filter(s=>s.uncertain>0).map(s=>a`<${ue} level="warn" says=${`${F(s.uncertain,"id")} of ${Qt(s)} may be members, and are not counted`} hint="A job has begun to change it and has not ended as it should. The next mirror settles it." />`)}
    <${yf} o=${n} />
    <div class="grid two-one"><div class="stack"><${xf} o=${n} /></div><div class="stack"><${kf} o=${n} /></div></div>`}<//>`}function yf({o:e}){let t=e.audiences[0];
return a`<div class="figures">
    <${_t} name="Together" value=${C(e.union)} note="members of at least one" />
    <${_t} name=${e.audiences.length>2?"In all":"In both"} value=${C(e.all)} note=${`${dr(e.all,e.union)} of all`} />
    <${_t} name=${`Only in ${Qt(t)}`} value=${C(t.only)} note=${`${dr(t.only,t.members)} of its members`} />
  </div>`}function xf({o:e}){return a`<${Q} title="In both" flush side=${a`<span class="faint small">and their share of the row's members</span>`}>
    <div class="scroll"><table class="matrix" aria-label="Members in common"><thead><tr><th></th><th class="num">Members</th>${e.audiences.map((t,n)=>a`<th class="num" title=${Qt(
t)}><span class="soft">and</span> ${n+1}</th>`)}</tr></thead>
    <tbody>${e.audiences.map((t,n)=>a`<tr key=${t.target}><th scope="row"><span class="faint">${n+1}</span> <a href=${se("audiences",t.target)}>${Qt(t)}</a><div class="note">generation ${C(
t.generation)}, <${oe} at=${t.at} />${t.lapsed>0&&`, ${C(t.lapsed)} lapsed`}</div></th>
      <td class="num"><b>${C(t.members)}</b></td>
      ${e.both[n].map((s,o)=>n===o?a`<td class="num self" key=${o}>–</td>`:a`<td class="num" key=${o} style=${{"--share":vu(s,t.members).toFixed(1)+"%"}} title=${`${C(
s)} of the ${C(t.members)} members of ${Qt(t)} are in ${Qt(e.audiences[o])}`}>${C(s)}<div class="note">${dr(s,t.members)}</div></td>`)}</tr>`)}</tbody></table></div>
  <//>`}function kf({o:e}){return a`<${Q} title="Of all members"><div class="unions">
    <div><div class="small"><b>Together</b> <span class="soft">${C(e.union)}</span></div><div class="bar" aria-hidden="true"><i class="c-duplicate" style=${{flexGrow:1}}></i></div></div>
    ${e.audiences.map(t=>a`<div key=${t.target}><div class="small">${Qt(t)} <span class="soft">${C(t.members)}, ${dr(t.members,e.union)}</span></div>
      <div class="bar" role="img" aria-label=${`${C(t.only)} only in ${Qt(t)}, ${C(t.members-t.only)} in others, too`}>
        ${t.only>0&&a`<i class="c-accepted" style=${{flexGrow:t.only}}></i>`}${t.members>t.only&&a`<i class="c-suppressed" style=${{flexGrow:t.members-t.only}}></i>`}<i style=${{
flexGrow:e.union-t.members,minWidth:0}}></i></div>
      <div class="note">${C(t.only)} only here, ${C(t.members-t.only)} in others, too</div></div>`)}
    <div class="keys small soft"><span><i class="c-accepted"></i>only here</span><span><i class="c-suppressed"></i>in others, too</span></div>
  </div><//>`}var yu=(...e)=>"#/audiences/overlap"+je({of:e.join(",")});function xu({target:e}){let t="/api/audiences/"+encodeURIComponent(e),n=Se(t,["audiences","letters"]),[s,o]=O(""),r=n.data,d=r&&a`${r.ledger&&a`<a class="button" href=${yu(
e)}>Overlaps</a>`}${Ge("operator")&&a`${r.source&&a`<button onClick=${()=>o("compare")}>Compare with an export …</button>`}
    ${r.ledger&&a`<button onClick=${()=>o("verify")}>Check against the platform …</button>`}`}`;return a`<${Ue} title=${r?Qt(r):ir(e)} crumb=${a`<a href="#/audiences">Audiences</a>`} sub=${r&&
a`<${Ni} f=${r.feed} />`} acts=${d}>
    <${ht} result=${n}>${c=>a`
      ${c.problems.map($=>a`<${ue} key=${$.says} level=${$.level} says=${a`<${Dt} text=${$.says} />`} where=${$.where?.startsWith("/letters")?"#"+$.where:void 0} />`)}
      <${Ds} l=${c.looking} />
      <${_f} a=${c} />
      <div class="grid two-one">
        <div class="stack"><${jf} points=${c.sizes} /><${Sf} points=${c.trend} /><${Tf} jobs=${c.jobs} looking=${c.looking} target=${e} /></div>
        <div class="stack"><${Df} f=${c.feed} last=${c.jobs.find($=>$.id===c.feed?.job)} onDone=${n.reload} /><${Rf} l=${c.ledger} /><${Af} w=${c.withheld} /><${pu} m=${c.
memory} /></div>
      </div>`}<//>
    ${s==="compare"&&a`<${Mf} path=${t} source=${r.source} onClose=${()=>o("")} />`}
    ${s==="verify"&&a`<${Ef} path=${t} onClose=${()=>o("")} />`}
  <//>`}function _f({a:e}){let t=e.trend.at(-1);return a`<div class="figures">
    <${_t} name="Ids" meaning=${qe.ids} value=${e.size===null?"–":C(e.size)} note=${e.size===null?e.looking?Vi:"no job or ledger has said it":e.sizeOf==="ledg\
er"?"in usher's ledger":a`on the platform, <${oe} at=${e.sizeAt} />`} />
    <${_t} name="Last change" meaning=${qe.change} value=${a`<${Li} c=${e.last} />`} note=${e.last?a`<${oe} at=${e.last.at} />`:e.looking?Vi:"no job on record h\
as changed it"} />
    <${_t} name="Junk and invalid" meaning=${qe.quality} value=${t?`${Cf(t.junk+t.invalid,t.read)} %`:"–"} note=${t?`of ${F(t.read,"row")} in the last export`:
e.looking?Vi:e.jobs.length<200?"no export on record was read":"its newest 200 jobs have read no export"} bad=${t&&(t.junk+t.invalid)/t.read>.05} />
    <${_t} name="Open jobs" meaning=${qe.open} value=${C(e.open)} note=${e.letters?F(e.letters,"dead letter"):"no dead letters"} bad=${e.letters>0} />
  </div>`}var Vi="older jobs are being read",Cf=(e,t)=>t?(100*e/t).toFixed(e&&e/t<.01?2:1):"0",ku=e=>Date.parse(e)/1e3;function jf({points:e}){let t=Yt(()=>[e.map(
n=>ku(n.at)),e.map(n=>n.ledger),e.map(n=>n.platform)],[e]);return a`<${Q} title="Size" side=${a`<span class="faint small">ids, after each job</span>`}>
    ${e.length<2?a`<${Re} title="No history yet">The size is drawn once two jobs have ended.<//>`:a`<${Ca} data=${t} values=${Bn} unit="ids" label=${`Ids over t\
ime, now ${C(e.at(-1).ledger??e.at(-1).platform)}`} height=${220}
        lines=${[["in the ledger","--c-accepted",{spanGaps:!0,points:{show:!0,size:5}}],["on the platform","--c-suppressed",{spanGaps:!0,points:{show:!0,size:5}}]]} />`}<//>`}
function Sf({points:e}){let t=Yt(()=>[e.map(n=>ku(n.at)),e.map(n=>100*n.junk/n.read),e.map(n=>100*n.invalid/n.read)],[e]);return a`<${Q} title="Data quality" side=${a`<span class="faint small">share of the rows of each export that name no device</span>`}>
    ${e.length<2?a`<${Re} title="No trend yet">The trend is drawn once two exports were read.<//>`:a`<${Ca} data=${t} values=${n=>(n<10?n.toFixed(1):Math.round(
n))+" %"} unit="% of rows" min=${1} height=${200} label="Junk and invalid rows in percent, by export"
        lines=${[["junk","--c-junk",{points:{show:!0,size:5}}],["invalid","--c-invalid",{points:{show:!0,size:5}}]]} />
        <p class="small soft">Junk are zero ids, placeholders and ids of other kinds. Invalid rows have not the shape of an id. Both are left out, never sent.</p>`}<//>`}
function Tf({jobs:e,looking:t,target:n}){return a`<${Q} title="Jobs" flush side=${a`<a class="small" href=${"#/jobs"+je({target:n})}>All jobs</a>`}>${e.length===
0?a`<${Re} title=${t?"No job found so far":"No jobs on record"} />`:a`<${Ki} jobs=${e.slice(0,20)} />${e.length>20&&a`<div class="foot">the newest 20 of ${e.length>=
200?"200 or more":Rs(e.length,t)}</div>`}`}<//>`}var _u={look:["Look for a new export now?","Look now","A worker looks at once, and takes an export that is comp\
lete."],approve:["Approve the held export?","Approve export","It is taken now, although it differs from what is expected."],reject:["Reject the held export?","R\
eject export","It is not taken. The next export is judged again."],pause:["Pause this feed?","Pause feed","No export is taken until somebody resumes it."],resume:[
"Resume this feed?","Resume feed","The newest export is taken, if it was not."]};function cr({feed:e,versions:t,way:n,onClose:s,onDone:o=()=>{}}){let[r,d]=O(""),
[c]=O(t??[]),[$,w,T]=_u[n],E=async()=>{await Ie(`/api/feeds/${encodeURIComponent(e)}/${n}`,{reason:r,versions:c}),Ye(`${w}: feed ${e}`),o()};return a`<${Ve} title=${$} act=${w} danger=${n===
"pause"||n==="reject"} ready=${n!=="pause"||r.trim()} onAct=${E} onClose=${s}>
    <p>${T}</p><${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Le.user}.`}><input type="text" maxlength="1000" value=${r} onInput=${v=>d(v.
target.value)} data-first /><//>
  <//>`}function Df({f:e,last:t,onDone:n}){let[s,o]=O("");if(!e)return a`<${Q} title="Feed"><p class="soft">No feed writes to this audience: jobs are published for it.</p><//>`;
let r=e.held?["approve","reject"]:e.paused?["resume"]:["look","pause"];return a`<${Q} title=${`Feed ${e.name}`}><dl class="facts">
      <dt>Takes</dt><dd class="mono small">${e.watch}</dd>
      <dt>Looks</dt><dd>${Fi(e)}</dd>
      <dt>Looked</dt><dd><${oe} at=${e.looked} /></dd>
      <dt>Expected</dt><dd>${e.late?a`by ${xi(e.late)} <span class="badge bad">late</span>`:e.next?`by ${xi(e.next)}`:"at any time"}</dd>
      <dt>Last taken</dt><dd>${e.last?a`<${oe} at=${e.last} />${e.rows>0&&`, ${F(e.rows,"row")}`}`:"nothing yet"}</dd>
      ${t&&Ua(t)&&a`<dt>Changed</dt><dd><a href=${se("jobs",t.id)}><${Es} r=${t} /></a></dd>`}
      ${e.why&&a`<dt>Now</dt><dd><${Tt} text=${e.why} /></dd>`}
      ${e.paused&&a`<dt>Paused by</dt><dd>${e.paused}</dd>`}
    </dl>
    ${Ge("operator")&&a`<div class="acts-line">${r.map(d=>a`<button class="small ${d==="pause"||d==="reject"?"danger":""}" onClick=${()=>o(d)}>${_u[d][1]} …</button>`)}</div>`}
    ${s&&a`<${cr} feed=${e.name} versions=${e.versions} way=${s} onClose=${()=>o("")} onDone=${n} />`}<//>`}function Rf({l:e}){return a`<${Q} title="Ledger">${e?
a`<dl class="facts"><dt>From</dt><dd><${oe} at=${e.at} /></dd><dt>Ids</dt><dd>${C(e.count)}${e.changed&&a` <span class="tag">changed since</span>`}</dd>
      <dt>By job</dt><dd class="break"><a href=${se("jobs",e.job)}>${e.job}</a></dd>${e.pending&&a`<dt>Changing now</dt><dd class="break"><a href=${se("jobs",e.
pending)}>${e.pending}</a></dd>`}</dl>`:a`<p class="soft">usher keeps no ledger of this audience. The first mirror makes one: then only what has changed is sent.</p>`}<//>`}
function Af({w:e}){return e?a`<${Q} title="Left out by the last mirror"><dl class="facts">
    ${e.except.map(t=>a`<dt>Members of</dt><dd><a href=${se("audiences",t.target)}>${Qt(t)}</a>: ${F(t.count,"id")}<div class="note">as of its generation ${C(t.
generation)}, <${oe} at=${t.at} /></div></dd>`)}
    ${e.holdout&&a`<dt>Held out</dt><dd>${F(e.holdout.count,"id")}: ${e.holdout.percent} % by the key “${e.holdout.key}”<div class="note">the same people in each segment and on each day</div></dd>`}
  </dl><//>`:null}function Mf({path:e,source:t,onClose:n}){let[s,o]=O(t.includes("?…")?"":t),r=async()=>{let{id:d}=await Ie(e+"/compare",{url:s.trim()});Ye("C\
omparing: nothing is sent"),location.hash=se("jobs",d)};return a`<${Ve} title="Compare with an export" act="Compare" wide ready=${s.trim()} onAct=${r} onClose=${n}>
    <p>Counts which ids a mirror of this export would add and remove. It is a job that sends nothing; its page opens and shows the result.</p>
    <${Oe} name="Export" hint="A file, or a folder that ends in /. It is read as the exports of this audience were read before."><input type="text" class="mono" value=${s} onInput=${d=>o(
d.target.value)} data-first /><//>
  <//>`}function Ef({path:e,onClose:t}){let[n,s]=O(null),o=async()=>{throw s(await Ie(e+"/verify")),new Error("")},r=n&&n.missing+n.unexpected;return a`<${Ve} title="Check against the platform" act=${n?
"Check again":"Check"} dismiss=${n?"Close":"Cancel"} onAct=${o} onClose=${t}>
    <p>Asks the platform for about 200 ids, chosen at random, and compares them with usher's ledger. This takes calls of the limit.</p>
    ${n&&a`<${ue} level=${r?"bad":"good"} says=${r?`${C(r)} of ${C(n.asked)} answers differ`:`All ${C(n.asked)} answers agree`}
      hint=${r?`${C(n.missing)} ids are missing on the platform, ${C(n.unexpected)} are there although they should not be. The ledger is off by ${n.low.toFixed(
2)} to ${n.high.toFixed(2)} %.`:`The ledger holds ${F(n.count,"id")}.`} />`}
  <//>`}var Pf=["source.column","source.delimiter","source.encoding","maxRejectPercent"],Yi=["force","acceptChange","dryRun"];function Os(e,t=""){return Object.entries(
e??{}).flatMap(([n,s])=>s&&typeof s=="object"&&!Array.isArray(s)?Os(s,t+n+"."):[[t+n,s]])}var ra=e=>e===void 0?"not set":e===!0?"yes":e===!1?"no":Array.isArray(
e)?e.map(ra).join(", "):typeof e=="object"&&e?Os(e).map(([t,n])=>`${t} ${ra(n)}`).join(", "):String(e),Cu=(e,t)=>t.split(".").reduce((n,s)=>n?.[s],e);function If(e,t){
let n=/(?:--set |--)?(source\.\w+)/.exec(e.hint??"")?.[1];return n||(e.class==="not_found"?t.find(s=>s==="segment"||s==="campaign")??"":Fn[e.class]?.field?Fn[e.
class].field:t.find(s=>e.class==="invalid_job"&&e.message?.includes("/"+s.replaceAll(".","/")))??"")}function $o({cause:e,filter:t,onClose:n,onDone:s=()=>{}}){let[
o,r]=O(null),[d,c]=O(""),[$,w]=O(""),[T,E]=O(""),[v,j]=O(null),[U,q]=O(""),re=d&&$.trim()?{[d]:$.trim()}:{};Ce(()=>{let Pe=!1;return Ie("/api/letters/plan",{filter:t}).
then(Ke=>{if(Pe)return;r(Ke);let ie=If(e,ju(Ke,e));c(ie),w(ie&&ie===Fn[e.class]?.field?Fn[e.class].value??"":"")},Ke=>Pe||q(Ke.message)),()=>{Pe=!0}},[]),Ce(()=>{
d&&document.querySelector("dialog[open] [data-first]")?.focus()},[o]),Ce(()=>{if(!o)return;if(!Object.keys(re).length){j(d?null:o);return}j(null);let Pe=!1,Ke=setTimeout(
()=>Ie("/api/letters/plan",{filter:{...t,through:o.through},set:re}).then(ie=>Pe||(j(ie),q("")),ie=>Pe||q(ie.message)),250);return()=>{Pe=!0,clearTimeout(Ke)}},
[o,d,$]);let ye=async()=>{await Ie("/api/letters/replay",{filter:{...t,through:o.through},set:re,reason:T.trim()||Of(e,re)}),Ye(`${F(v.count,"job")} will be ${d?
"changed and ":""}replayed: the progress is on this page`),s()},de=o?ju(o,e):[],at=d?"Fix and replay":"Replay";return a`<${Ve} title="Fix and replay" wide act=${v?
`${at} ${F(v.count,"job")}`:at} ready=${v?.count>0&&(!d||v.changed>0)} onAct=${ye} onClose=${n}>
    <${ue} level="bad" says=${e.class?a`${Ht(e.class)}: <${Dt} text=${e.message} />`:e.message} hint=${e.hint} of=${e.class} />
    ${U&&a`<${Xt} says=${U} />`}
    ${!o&&!U&&a`<${nn} />`}
    ${o&&a`
      <div class="pair"><${Oe} name="What to change"><select value=${d} onChange=${Pe=>{c(Pe.target.value),w("")}}>
          <option value="" selected=${d===""}>Nothing: it is repaired elsewhere</option>
          ${de.map(Pe=>a`<option value=${Pe} selected=${Pe===d}>${Ha(Pe)}</option>`)}</select><//>
        ${d&&a`<${Oe} name="New value">${Yi.includes(d)?a`<select value=${$} onChange=${Pe=>w(Pe.target.value)} data-first key=${d}>${[["","Choose …"],["true",
"yes"],["false","no"]].map(([Pe,Ke])=>a`<option value=${Pe} selected=${Pe===$}>${Ke}</option>`)}</select>`:a`<input type="text" value=${$} onInput=${Pe=>w(Pe.target.
value)} data-first autofocus key=${d} />`}<//>`}</div>
      <${zf} plan=${v??o} field=${d} value=${$.trim()} />
      ${v?a`<${Lf} plan=${v} field=${d} />`:d&&$.trim()&&!U?a`<${nn} />`:null}`}
    <${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Le.user}. May be left empty.`}><input type="text" maxlength="1000" value=${T} onInput=${Pe=>E(
Pe.target.value)} /><//>
  <//>`}function ju(e,t){let n=e.sample[0]?.before,s=Os(n).map(([r])=>r).filter(r=>!["id","v","source.ids"].includes(r)),o=Fn[t.class]?.field;return[...new Set(
[...s,...n?.source?Pf:[],...o?[o]:[]])]}var Of=(e,t)=>{let[[n,s]=[]]=Object.entries(t);return`${n?`${Ha(n)} set to ${Yi.includes(n)?ra(s==="true"):s}`:"repaired\
 elsewhere"}: ${e.message}`.slice(0,300)};function zf({plan:e,field:t,value:n}){return e.sample.length===0?null:a`<table class="cards diff"><thead><tr><th>Sample</th>${t?
a`<th>Now</th><th>Then</th>`:a`<th>Job</th>`}</tr></thead><tbody>
    ${e.sample.map(s=>a`<tr key=${s.seq}><td class="break">${s.id??`letter ${s.seq}`}</td>
      ${t?a`<td class="break" data-name="Now"><del>${ra(Cu(s.before,t))}</del></td><td class="break" data-name="Then">${n?a`<ins>${s.fields.length?ra(Cu(s.after,
t)):Yi.includes(t)?ra(n==="true"):n}</ins>`:a`<span class="faint">type the new value</span>`}</td>`:a`<td class="break whole small soft">${Os(s.before).filter(([
o])=>!["id","v"].includes(o)).slice(0,5).map(([o,r])=>`${Ha(o)} ${ra(r)}`).join(", ")}</td>`}</tr>`)}</tbody></table>`}function Lf({plan:e,field:t}){return a`<p><b>${F(
e.count,"job")}</b> will be ${t?"changed and published again":"published again as they are"}${e.seconds>10?`; this takes at least ${Zt(e.seconds)}`:""}. Uploads continue where they stopped${t?
", unless what they read changes":""}.</p>
    ${e.refused>0&&a`<${ue} level="warn" says=${`${F(e.refused,"letter")} stay as they are: this value is not possible there`} hint=${a`<${Tt} text=${e.says} />`} />`}
    ${e.skipped>0&&a`<${ue} level="warn" says=${`${C(e.skipped)} skipped`}>${e.left.slice(0,3).map(n=>a`<div class="small break">${n.id??`letter ${n.seq}`}: ${n.
why}</div>`)}<//>`}`}var Ff=15*6e4,Su=new Set;function ur(){let e=Se("/api/replays",["replays"]),[,t]=O(0),n=pt();return(e.data?.replays??[]).filter(o=>!Su.has(o.id)&&(!o.finished||
n-new Date(o.finished)<Ff)).map(o=>a`<${Wf} key=${o.id} r=${o} onHide=${()=>{Su.add(o.id),t(r=>r+1)}} />`)}function Nf(e){return e.error?"Replay failed":e.stopped?
"Replay stopped":e.finished?"Replay finished":e.report.planned===0&&e.report.changed>0?"Changing the jobs …":"Replaying …"}function Wf({r:e,onHide:t}){let n=e.
report,s=Math.max(n.planned,1),o=e.finished&&!e.stopped&&!e.error;return a`<section class="card"><div class="body replay">
    <div class="head"><b class="title">${Nf(e)}</b>
      <span class="soft">by ${e.by}, <${oe} at=${e.started} />${e.rate?`, ${dn(e.rate)} a second`:""}</span>
      ${!e.finished&&Ge("operator")&&a`<button class="small danger" onClick=${()=>Ie(`/api/replays/${e.id}/stop`).catch(r=>Ye(r.message,!0))}>Stop</button>`}
      ${e.finished&&a`<button class="small bare" onClick=${t}>Hide</button>`}</div>
    <progress max=${s} value=${o?s:n.replayed+n.skipped} aria-label="Replayed"></progress>
    <div class="small soft">${n.changed>0&&`${F(n.changed,"job")} changed, `}${C(n.replayed)} of ${C(n.planned)} replayed${n.skipped?`, ${C(n.skipped)} skipped`:
""}${e.stopped?"; the other letters were kept":""}</div>
    ${n.replayed>0&&e.finished&&a`<${qf} p=${n} />`}
    ${n.left?.length>0&&a`<details class="small"><summary>Why letters were skipped</summary>${n.left.map(r=>a`<div class="break">${r.id??`letter ${r.seq}`}: ${r.
why}</div>`)}</details>`}
    ${e.error&&a`<${ue} level="bad" says=${e.error} />`}
  </div></section>`}function qf({p:e}){let t=Math.max(0,e.replayed-e.done-e.failedAgain-e.cancelled);return a`<div class="small"><span class="good-ink">${C(e.done)} done</span>${t>
0&&a`, <span class="soft">${C(t)} not ended yet</span>`}${e.cancelled>0&&`, ${C(e.cancelled)} cancelled`}${e.failedAgain>0&&a`, <a class="bad-ink strong" href=${"\
#/letters"+je({replay:e.name})}>${C(e.failedAgain)} failed again</a>`}</div>`}var Hf={done:"good",held:"warn",approved:"good",rejected:""},pr=({is:e})=>a`<span class="badge ${Hf[e]??""}">${e}</span>`,Uf={pause:"warn",resume:"good",decrease:"\
warn",increase:"good",held:"warn",notify:"warn",unknown:"",none:""},zs=({is:e})=>a`<span class="badge ${Uf[e]??""}">${e}</span>`,Ls=e=>e.from===e.to?`${e.from} ${e.
currency??""}`:`${e.from} → ${e.to} ${e.currency??""}`;function Fs(e){let t=new Map;for(let n of e){let s=n.level?["",n.date,n.rule,n.action,n.wants,n.guard,n.
left,n.bidding?.field??n.reason].join(`
`):[n.date,n.campaign,n.creative,n.bidding?.field].join(`
`);t.has(s)?t.get(s).parts.push(n):t.set(s,n.level?{...n,key:s,parts:[n]}:{...n,key:s})}return[...t.values()]}var Ns=e=>e.parts&&e.bidding?e.reason.replace(/ from [\d.]+ to [\d.]+( [A-Z]{3})?/,
""):e.reason;function Sa({d:e}){if(e.parts){let n=e.bidding?[`${vn[e.bidding.field]}`,`${vn[e.bidding.field]}s`]:["creative"];return a`<details><summary>${F(e.parts.
length,...n)} of ${F(new Set(e.parts.map(s=>s.campaign)).size,"campaign")}</summary>${e.parts.map(s=>a`<div key=${s.key}><${Sa} d=${s} /></div>`)}</details>`}let t=a`<div class="note"><a href=${se(
"campaigns",e.campaign)}>${e.campaign}</a></div>`;return e.bidding?a`<a class="id" href=${se("rules","why",e.campaign)}>${vn[e.bidding.field]}</a>${(e.action!==
"unknown"||e.bidding.from>0)&&a`<div class="note">${Ls(e.bidding)}</div>`}${t}`:a`<a class="id" href=${se("rules","why",e.creative)}>${e.creative}</a>${t}`}var Bf=[
"pause","resume","decrease","increase","held","notify","unknown","none"],Tu={pause:["pause"],resume:["resume"],decrease:["decrease"],increase:["increase"],notify:[
"notice"],none:["unchanged","unchanged"]},go=e=>["pause","resume","decrease","increase"].reduce((t,n)=>t+(e.counts?.[n]??0),0),bo=e=>e.warnings?.some(t=>t.code===
"stopped");function Ws(e){let{counts:t,state:n,leftOut:s}=e,o=s?.length??0,r=js(e)-o,d=n!=="done"&&(r!==t?.held||go(e)>0)?` (${C(r)} ${n==="held"?`${r===1?"wait\
s":"wait"} for approval`:n}${o?`, ${C(o)} dropped`:""})`:"",c=Bf.filter($=>t?.[$]).map($=>Tu[$]?F(t[$],...Tu[$]):`${C(t[$])} ${$}${$==="held"?d:""}`);return bo(
e)&&c.push("held back by the stop switch"),c.length?c.join(", "):"no decisions"}function Ja({metrics:e}){let t=Object.entries(e??{});return t.length?a`<div class="small">${t.
map(([n,s])=>a`<span class="tag">${n} ${dn(s)}</span> `)}</div>`:null}function qs({p:e}){return e?a` <span class="badge warn">paused</span><div class="note warn-ink">paused by ${e.
by} <${oe} at=${e.at} />${e.reason&&`: ${e.reason}`}</div>`:null}var Zi=100;function hr({title:e,days:t,lines:n,legend:s}){if(n.length===0)return null;let o=matchMedia("(max-width: 700px)").matches?3:8;return a`<${Q} title=${e} side=${a`<span class="faint small">point at a cell to see why</span>`}>
    <div class="days" tabindex="0" role="region" aria-label=${e} style=${`--days: ${t.length}`}>${n.slice(0,Zi).map(([r,d])=>a`<b class="small" title=${r}>${r}</b>${d.
map(c=>a`<span class="cell ${c.look}" title=${c.title}>${c.text}</span>`)}`)}
      <i></i>${t.map((r,d)=>a`<span class="small faint">${d%Math.ceil(t.length/o)===0?r.slice(5):""}</span>`)}</div>
    <div class="small faint">${s.map(([r,d])=>a`<span class="cell ${r}"></span> ${d} `)}${n.length>Zi&&`· ${C(n.length-Zi)} more lines are not shown`}</div><//>`}
function fr(e,t,n){let s=new Map;for(let o of e){s.has(t(o))||s.set(t(o),new Map);let r=s.get(t(o));r.set(n(o),[...r.get(n(o))??[],o])}return s}var Du=e=>new Date(pt()-e*864e5).toISOString().slice(0,10);function Au({params:e}){let t=Se("/api/rules"),n=[...new Set((t.data?.rules??[]).map(v=>v.file))],s=e.
file??n[0]??"",[o,r]=O(e.from??Du(31)),[d,c]=O(e.to??Du(1)),[$,w]=O({}),T=async v=>{w({busy:!0});try{w({outcome:await Ln("/api/rules/backtest"+je(v))})}catch(j){
w({error:j.message})}};Ce(()=>{e.file&&e.from&&e.to&&T(e)},[e.file,e.from,e.to]);let E=v=>{v.preventDefault();let j={file:s,from:o,to:d};e.file===s&&e.from===o&&
e.to===d?T(j):tt(j)};return a`<${Ue} title="Backtest" crumb=${a`<a href="#/rules">Rules</a>`} sub="What the rules would have done on past days, and how much they would have saved. Nothing was changed.">
    <form class="filters" onSubmit=${E}>
      <${Kn} label="Rule file" value=${s} onPick=${v=>tt({file:v,from:"",to:""})} options=${n.map(v=>[v,v])} />
      <input class="date" type="date" aria-label="First day" required value=${o} onInput=${v=>r(v.target.value)} />
      <input class="date" type="date" aria-label="Last day" required value=${d} onInput=${v=>c(v.target.value)} />
      <button class="primary" disabled=${$.busy||!s}>${$.busy?"Reading reports …":"Run"}</button>
    </form>
    ${$.error&&a`<${Xt} says=${$.error} />`}
    ${$.busy&&a`<div class="card"><${nn} /></div>`}
    ${$.outcome&&a`<${Jf} o=${$.outcome} />`}
    ${!$.outcome&&!$.busy&&!$.error&&a`<div class="card"><${Re} title="Choose days">The rules are evaluated once for each day, on the platform's reports.<//></div>`}
  <//>`}function Jf({o:e}){let t=e.summary;return a`${t.spend===0&&a`<${ue} level="warn" says="The reports have no spend of these days" hint="So the rules have nothing to decide on, and nothing to save. Choose days with reports." />`}
    <div class="figures">
      <${_t} name="Saved" meaning=${qe.saved} value=${dn(t.saved)} note=${`${t.atMost&&t.saved>0?"at most, ":""}of ${dn(t.spend)} spent`} />
      <${_t} name="Pauses" meaning=${qe.pauses} value=${C(t.pauses)} note=${F(t.resumes,"resume")} />
      <${_t} name="Held" meaning=${qe.held} value=${C(t.held)} note=${t.unknown>0?`and ${C(t.unknown)} unknown`:"by limits and guards"} />
      <${_t} name="Missed clicks" meaning=${qe.missed} value=${Bn(t.missed.clicks)} note=${`${Bn(t.missed.impressions)} impressions`} />
    </div>
    ${t.byNumber&&a`<${Gf} all=${t.byNumber} />`}
    ${t.byDay.length>1&&a`<${Kf} days=${t.byDay} key=${t.from+t.to} />`}
    <${Ru} title="Creatives by day" days=${t.byDay} decisions=${e.decisions.filter(n=>!n.bidding)} />
    <${Ru} title="Budgets and bids by day" days=${t.byDay} decisions=${e.decisions.filter(n=>n.bidding)} />
    <${Q} title="By rule" flush><${nt} name="rules" rows=${t.rules} columns=${[["Rule",n=>n.rule],["Saved",n=>n.saved,!0],["Pauses",n=>n.pauses,!0],["Resumes",n=>n.
resumes,!0],...t.byNumber?[["Decreases",n=>n.decreases,!0],["Increases",n=>n.increases,!0]]:[],["Held",n=>n.held,!0]]}>${n=>a`<tr><td class="strong break">${n.rule}</td><td class="num" data-name="Saved">${dn(
n.saved)}</td><td class="num" data-name="Pauses">${C(n.pauses)}</td><td class="num" data-name="Resumes">${C(n.resumes)}</td>${t.byNumber&&a`<td class="num" data-name="Decreases">${C(
n.decreases)}</td><td class="num" data-name="Increases">${C(n.increases)}</td>`}<td class="num" data-name="Held">${C(n.held)}</td></tr>`}<//>
      ${t.readAsAct&&a`<div class="foot">All rules were evaluated as if in mode act. Rules in another mode: ${t.readAsAct.join(", ")}</div>`}
      ${t.withoutHours&&a`<div class="foot">active_hours were ignored. Rules with them: ${t.withoutHours.join(", ")}</div>`}
      ${t.atMost&&t.saved>0&&a`<div class="foot">Saved is at most this for rules with resume_when, which see the report's spend also while they pause: ${t.atMost.
join(", ")}</div>`}
      ${t.wholeDay&&a`<div class="foot">The window today was the report's row of the whole day. Rules with it: ${t.wholeDay.join(", ")}</div>`}<//>
    <${Q} title="What would have changed" flush>${e.decisions.length===0?a`<${Re} title="No rule would have changed anything">${t.unknown>0&&`${F(t.unknown,"dec\
ision")} could not be made: the reports lack what the conditions read.`}<//>`:a`<${nt} rows=${e.decisions.slice(0,300)} columns=${[["Day",n=>n.date],["Subject",
n=>n.creative||n.campaign],["Action",n=>n.action],["Why",n=>n.rule]]}>${n=>a`<tr><td class="nowrap">${n.date}</td><td class="break"><${Sa} d=${n} /></td>
          <td><${zs} is=${n.action} /></td><td class="whole break">${n.reason}<div class="note">${n.rule}</div></td></tr>`}<//>
        ${e.decisions.length>300&&a`<div class="foot">The first 300 of ${C(e.decisions.length)}</div>`}`}<//>`}function Kf({days:e}){let t=Yt(()=>[e.map(n=>Date.
parse(n.date)/1e3),e.map(n=>n.spend),e.map(n=>n.saved)],[e]);return a`<${Q} title="Spend by day" side=${a`<span class="faint small">in the account's currency</span>`}>
    <${Ca} data=${t} values=${Bn} height=${220} unit="spend" label="Spend by day, and what the rules would have saved"
      lines=${[["spent","--c-suppressed"],["would have been saved","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function Gf({all:e}){return a`<${Q} title="Budgets and bids" flush><${nt} name="numbers" rows=${e} columns=${[
["Campaign",t=>t.campaign],["Would have set",t=>t.change.to],["Decreases",t=>t.decreases,!0],["Increases",t=>t.increases,!0],["Held",t=>t.held,!0]]}>${t=>a`<tr><td class="strong break">${t.
campaign}<div class="note">${vn[t.change.field]}</div></td><td>${t.decreases+t.increases>0?Ls(t.change):`stays ${Ls({...t.change,to:t.change.from})}`}</td>
      <td class="num" data-name="Decreases">${C(t.decreases)}</td><td class="num" data-name="Increases">${C(t.increases)}</td><td class="num" data-name="Held">${C(
t.held)}</td></tr>`}<//>
    <div class="foot">What would have been spent with them is unknown: spend is as reported.</div><//>`}function Ru({title:e,days:t,decisions:n}){let s=[...fr(n,
r=>r.bidding?`${r.campaign} ${vn[r.bidding.field]}`:r.creative,r=>r.date)],o=[["pause","paused"],["decrease","decreased"],["increase","increased"],["held","held\
 back"]].filter(([r])=>n.some(d=>d.action===r));return a`<${hr} title=${e} days=${t.map(r=>r.date)} legend=${o} lines=${s.map(([r,d])=>[r,Vf(t,d)])} />`}function Vf(e,t){
let n=!1;return e.map(s=>{let o=t.get(s.date)?.at(-1);return(o?.action==="pause"||o?.action==="resume")&&(n=o.action==="pause"),{look:n?"pause":o&&o.action!=="r\
esume"?o.action:"",title:o?`${o.date}: ${o.action} by ${o.rule}: ${o.reason}`:`${s.date}: ${n?"still paused":"no change"}`,text:o?.bidding&&o.action!=="held"&&e.
length<=14?o.bidding.to:""}})}var Xi=({s:e})=>a`kept by ${e.by||"somebody"} until ${e.until?a`<time datetime=${e.until}>${It(e.until)}</time>`:"released"}`;function Qi({s:e}){return e?a`<div class="note warn-ink"><${Xi} s=${e} />${e.
reason&&`: ${e.reason}`} <span class="faint">(<${oe} at=${e.at} />)</span></div>`:null}var Ka="date",Mu=[["2h","for 2 hours"],["tomorrow","until tomorrow"],["mo\
nday","until Monday"],["released","until somebody hands it back"],[Ka,"until a date …"]];function el({until:e,onUntil:t,required:n}){let s=Mu.some(([r])=>r===
e),o=e===""||s?e:Ka;return a`<${Oe} name="Rules" hint="A day begins in the time zone of the account's rules. While they leave it alone, no cap stops it.">
      <select value=${o} onChange=${r=>t(r.target.value)}>
        ${!n&&a`<option value="" selected=${o===""}>may change it at once</option>`}
        ${Mu.map(([r,d])=>a`<option value=${r} selected=${o===r}>leave it alone ${d}</option>`)}
      </select><//>
    ${o===Ka&&a`<${Oe} name="Until the beginning of"><input type="date" required value=${s?"":e} onInput=${r=>t(r.target.value||Ka)} /><//>`}`}function mr({code:e,
campaign:t="",kept:n,what:s="it",onDone:o=()=>{}}){let[r,d]=O("");return Ge("operator")?a`<button class="small" onClick=${()=>d(n?"release":"keep")}>${n?"Hand b\
ack to rules …":`Keep rules from ${s} …`}</button>
    ${r&&a`<${Yf} code=${e} campaign=${t} way=${r} what=${s} onClose=${()=>d("")} onDone=${o} />`}`:null}function Yf({code:e,campaign:t,way:n,what:s,onClose:o,onDone:r}){
let[d,c]=O(""),[$,w]=O("tomorrow"),T=n==="keep",E=s==="it"?e:`the ${s} of ${e}`,v=async()=>{await Ie(`/api/rules/${n}`,T?{code:e,campaign:t,until:$,reason:d}:{code:e,
reason:d}),Ye(T?`Rules leave ${E} alone`:`Rules may change ${E} again`),r()};return a`<${Ve} title=${T?`Keep rules from ${E}?`:`Hand ${E} back to rules?`} act=${T?
"Keep":"Hand back"} ready=${d.trim()&&(!T||$!==Ka)} onAct=${v} onClose=${o}>
    <p>${T?"Rules leave it as it is, whoever has changed it: somebody here, or somebody on the platform itself.":"The next run of each rule decides on it again."}</p>
    ${T&&a`<${el} until=${$} onUntil=${w} required />`}
    <${Oe} name="Reason" hint="Shown beside it, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${d} onInput=${j=>c(
j.target.value)} data-first /><//>
  <//>`}var Zf=e=>{let t=e.jobs?.length>0?go(e):0,n=js(e);return t?`${F(t,"change")} of this run ${t===1?"has its job":"have their jobs"}, and ${C(n)} ${n===1?"waits":"\
wait"} for approval`:"This run waits for approval"},Xf=({run:e})=>["approved","rejected"].includes(e.state)?a`<${ue} level=${e.state==="approved"?"good":""} says=${a`${e.
state==="approved"?"Approved":"Rejected"} by ${e.by||"somebody"}, <${oe} at=${e.judged??e.at} />`} hint=${`It was held: ${e.why}`} />`:a`<${ue} says=${e.why} />`,
Qf={failed:["bad","It decided nothing: its job failed"],cancelled:["","It decided nothing: its job was cancelled"],done:["","No decisions of it are on record","\
Its job says so if no rule was in scope. A run that changed nothing is kept for two days."]};function em({id:e,job:t}){let[n,s,o]=Qf[t.state]??["","It has not d\
ecided yet","This page shows its decisions as soon as there are some."];return a`<${ue} level=${n} says=${s} hint=${o}><div class="acts-line"><a class="button small" href=${se(
"jobs",e)}>Its job</a></div><//>`}function Iu({id:e}){let t=Se("/api/rules/runs/"+encodeURIComponent(e),["rules","job "+e]),[n,s]=O(""),o=t.data?.run,r=o?.state===
"held",d=o&&Ge("operator")&&a`
    ${r&&a`<button class="primary" onClick=${()=>s("approve")}>Approve …</button><button class="danger" onClick=${()=>s("reject")}>Reject …</button>`}
    ${o.jobs?.length>0&&a`<button onClick=${()=>s("undo")}>Undo …</button>`}`;return a`<${Ue} title=${e} crumb=${a`<a href="#/rules">Rules</a>`} sub=${o&&a`<${pr} is=${o.
state} /> ${o.undoOf?`undoes ${o.undoOf}`:o.file} · ${Ws(o)}`} acts=${d}>
    <${ht} result=${t}>${c=>c.run===null?a`<${em} id=${e} job=${c.job} />`:a`
      ${c.undone.map($=>a`<${ue} key=${$.id} says=${a`Undone by ${$.by||"somebody"}, <${oe} at=${$.at} />`}><div class="acts-line"><a class="button small" href=${se(
"rules","runs",$.id)}>What was undone</a></div><//>`)}
      ${r&&a`<${ue} level="warn" says=${Zf(c.run)} hint=${c.run.why} />`}
      ${c.run.warnings?.length>0&&a`<${ue} level="warn" says=${bo(c.run)?"The stop switch held back changes of this run":`${F(c.run.warnings.length,"change")} n\
ot carried out by the approval`}><ul class="small">${c.run.warnings.slice(0,20).map($=>a`<li class="break">${$.description}</li>`)}</ul><//>`}
      ${!r&&c.run.why&&a`<${Xf} run=${c.run} />`}
      <div class="grid two-one">
        <${tm} run=${c.run} all=${c.decisions} more=${c.more} />
        <${Q} title="Facts"><dl class="facts">
          <dt>Account</dt><dd>${c.run.account}</dd>
          <dt>As of</dt><dd>${It(c.run.asOf)}</dd>
          <dt>Decided</dt><dd><${oe} at=${c.run.at} /></dd>
          ${c.run.by&&a`<dt>By</dt><dd>${c.run.by}${c.run.reason&&`: ${c.run.reason}`}</dd>`}
          ${c.run.jobs?.length>0&&a`<dt>Jobs</dt><dd>${c.run.jobs.slice(0,20).map($=>a`<div class="break"><a href=${se("jobs",$)}>${$}</a></div>`)}</dd>`}
        </dl><//></div>`}<//>
    ${n&&a`<${vo} id=${e} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}var Ou=(e,t)=>e.state!=="approved"&&(!e.approvals?.length||e.approvals.at(-1).waiting.includes(Hs(t))),Eu=(e,t)=>fo(t)&&!t.left&&!Ou(e,t);function tm({run:e,
all:t,more:n}){return a`<${Q} title="Decisions" flush>${t.length===0?a`<${Re} title="Nothing to change">What stays as it is is counted but not listed.<//>`:a`<${nt} rows=${Fs(
t)} columns=${[[t.every(s=>s.bidding)?"Number":"Creative",s=>s.creative||s.campaign],["Action",s=>s.action],["Why",s=>s.rule]]}>${s=>a`<tr key=${s.key}>
        <td><${Sa} d=${s} /></td>
        <td><${zs} is=${Eu(e,s)?s.wants:s.action} />${Eu(e,s)?a`<div class="note">approved</div>`:s.wants&&a`<div class="note">would ${s.wants}${s.left?", left \
out of the approval":s.guard&&s.guard!=="approval"?`, held by ${s.guard}`:""}</div>`}${s.notice&&a`<div class="note">notifies</div>`}</td>
        <td class="whole"><${zu} d=${s} /></td></tr>`}<//>
      ${n>0&&a`<div class="foot">${C(n)} more, which the command <code>usher rules runs show</code> lists</div>`}`}<//>`}function zu({d:e}){return a`<div class="break">${Ns(
e)}</div><${Ja} metrics=${e.metrics} />
    ${e.values?.length>0&&a`<details class="small"><summary>${F(e.values.length,"step")} of ${e.rule}</summary>
      ${e.values.map(t=>a`<div class="break"><code>${t.expression}</code> = ${isNaN(t.result)?t.result:dn(Number(t.result))}</div>`)}</details>`}`}var nm={approve:[
"Approve this run?","Approve","What is still wanted below is carried out now, by one job for each campaign: by the same rule and the same days, and by the repor\
t as it is now."],reject:["Reject this run?","Reject","Its decisions are not carried out. The next run decides again."],undo:["Undo this run?","Undo","Creatives\
 that this run paused are resumed, and vice versa, and budgets and bids are set back, unless somebody has changed them since."]},Hs=e=>`${e.campaign}/${e.bidding?.
field??e.creative}`,Pu=({d:e})=>e.parts?a`<b>${e.wants}</b> <${Sa} d=${e} />`:a`<b>${e.wants}</b> ${e.bidding?`${vn[e.bidding.field]} ${Ls(e.bidding)}`:e.creative}<div class="note">${e.
campaign}</div>`,am=({s:e})=>a`<p><b>Spend at stake: ${Object.entries(e.gross).map(([t,n])=>`${lo(n)} ${t}`).join(", ")||"nothing"}</b> <span class="soft">spent on what would change, from ${e.
from} to ${e.to}</span></p>`,sm=({d:e,of:t})=>[...new Map((e.parts??[e]).map(n=>t?.[Hs(n)]).map(n=>[JSON.stringify(n),n])).values()].slice(0,5).map(n=>a`<${om} s=${n} />`);
function om({s:e}){return!e||e.is==="wanted"?null:a`<div class="note warn-ink">${e.is==="unknown"?"Cannot be decided now, and stays held":"No longer wanted, and\
 is left out"}: ${e.why}</div>`}function rm({id:e,left:t,setLeft:n}){let s=Se(`/api/rules/runs/${encodeURIComponent(e)}/review`),o=Se("/api/rules/runs/"+encodeURIComponent(
e)),r=c=>(c.parts??[c]).every($=>t.includes(Hs($))),d=c=>{let $=(c.parts??[c]).map(Hs);n(r(c)?t.filter(w=>!$.includes(w)):[...t,...$])};return a`<${ht} result=${o}>${({
run:c,decisions:$})=>{let w=$.filter(E=>fo(E)&&!E.left&&Ou(c,E)),T=$.filter(E=>E.action==="held"&&!fo(E));return a`${s.data?.wrong?a`<${ue} level="bad" says="This run cannot be approved" hint=${s.
data.wrong} />`:s.data?.stake?a`<${am} s=${s.data.stake} />`:s.error?a`<${ue} level="warn" says="It is not known whether its changes are still wanted" hint=${s.
error} />`:a`<p class="soft">Deciding again by the report as it is now …</p>`}
      <p class="soft">Held <${oe} at=${c.at} /> · ${c.why}</p>
      <div class="scroll block">${w.length>0&&a`<table class="tight"><thead><tr><th class="tick"><span class="sr">Approve</span></th><th>What would change</th><th>Rule and reason</th></tr></thead><tbody>
      ${Fs(w).map(E=>a`<tr key=${E.key}><td class="tick"><input type="checkbox" aria-label=${`Approve ${E.wants} of ${E.parts?`all ${E.parts.length} together`:Hs(
E)}`} checked=${!r(E)} onChange=${()=>d(E)} /></td><td class="break"><${Pu} d=${E} /></td>
        <td class="break">${E.rule}<div class="note">${Ns(E)}</div><${sm} d=${E} of=${s.data?.standing} /></td></tr>`)}</tbody></table>`}
      ${T.length>0&&a`<table class="tight"><thead><tr><th>Not carried out by an approval</th><th>Rule and reason</th></tr></thead><tbody>
      ${Fs(T).map(E=>a`<tr key=${E.key}><td class="break"><${Pu} d=${E} /></td><td class="break">${E.rule}<div class="note">${Ns(E)}</div></td></tr>`)}</tbody></table>`}</div>`}}<//>`}
async function im(e,t){let{decisions:n,more:s}=await Ln("/api/rules/runs/"+encodeURIComponent(e));if(s)throw new Error("This run has too many decisions to appro\
ve it in part on this page: approve or reject it whole.");return n.filter(fo).map(Hs).filter(o=>!t.includes(o))}function vo({id:e,way:t,onClose:n,onDone:s}){let[
o,r]=O(""),[d,c]=O([]),[$,w,T]=nm[t],E=async()=>{let{undo:v,left:j,warnings:U,state:q}=await Ie(`/api/rules/runs/${encodeURIComponent(e)}/${t}`,d.length?{reason:o,
only:await im(e,d)}:{reason:o});if(U?.length)Ye(`Run ${e} is ${q==="held"?"approved in part":"approved"}. Not carried out: ${F(U.length,"change")}; ${U[0].description}`);else if(t!==
"undo")Ye(`Run ${e} is ${w.toLowerCase()}${w.endsWith("e")?"d":"ed"}`);else if(v)Ye(`Undoing run ${e}${j.length?`; ${j.length} not changed: ${j[0]}`:""}`);else throw new Error(
`There is nothing to undo${j.length?": "+j[0]:""}`);s()};return a`<${Ve} title=${$} act=${w} wide=${t==="approve"} danger=${t!=="approve"} ready=${t!=="undo"||o.
trim()} onAct=${E} onClose=${n}>
    <p>${T}</p>
    ${t==="approve"&&a`<${rm} id=${e} left=${d} setLeft=${c} />${d.length>0&&a`<p class="warn-ink">${F(d.length,"change")} left out: dropped, and not carried out.</p>`}`}
    <${Oe} name="Reason" hint="Recorded with the run and your name."><input type="text" maxlength="1000" value=${o} onInput=${v=>r(v.target.value)} data-first /><//>
  <//>`}var lm=e=>e===!1?"The rule has no resume_when, so it does not resume it: it stays paused until a person resumes it.":e?"Nobody has changed it since, so \
the rule may resume it.":"No worker uses this rule now. It resumes the creative only if it has resume_when or active_hours, and nobody else changes it.";function Lu({
creative:e}){let t=Se("/api/rules/why/"+encodeURIComponent(e),["audit","rules"]);return a`<${Ue} title=${e} crumb=${a`<a href="#/rules">Rules</a> · why`} sub=${t.
data?.campaigns?.includes(e)?"What was changed on the budget and the bid of this campaign, what was decided but not changed, and why.":"What was changed on this\
 creative, what was decided but not changed, and why."} acts=${t.data&&a`<${mr} code=${e} campaign=${t.data.campaigns?.[0]} kept=${t.data.kept} onDone=${t.reload} />`}>
    <${ht} result=${t}>${n=>a`
      ${n.owner&&a`<${ue} level="warn" says=${`Paused by the rule ${n.owner.file}/${n.owner.rule}`} hint=${lm(n.resumes)} />`}
      ${n.kept&&a`<${ue} level="warn" says=${a`Rules leave it alone: <${Xi} s=${n.kept} />`} hint=${n.kept.reason}><${xa}>usher rules release ${n.creative}<//><//>`}
      <${Q} title="Rules that may change it">${n.rules.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${n.rules.map(s=>a`<li><a href=${"#/rules"+je(
{text:s.name})} class="break">${s.name}</a> <span class="tag">${Cs(s.mode)}</span><${qs} p=${s.paused} /><div class="small soft break">${s.says}</div></li>`)}</ul>`}<//>
      <${Q} title="History">${n.pages.length===0?a`<${Re} title="No history">Neither a rule nor a person has changed it through usher.<//>`:a`<ul class="line">${[
...n.pages].reverse().map(s=>a`<${dm} p=${s} />`)}</ul>`}<//>`}<//>
  <//>`}function dm({p:e}){if(e.audit){let n=e.audit;return a`<li class=${n.after==="ACTIVE"||n.bidding?.to>n.bidding?.from?"good":"warn"}><b>${n.bidding?vn[n.bidding.
field]+" ":""}${Ut(n.before)} → ${Ut(n.after)}</b>${n.after!==n.wanted?a` <span class="bad-ink">(wanted ${Ut(n.wanted)})</span>`:""}
      <div class="soft break">${[n.rule||n.actor,e.approval?.wanted??n.reason].filter(Boolean).join(": ")}</div>${e.approval&&a`<div class="soft break">approved by ${[
e.approval.by,e.approval.reason].filter(Boolean).join(": ")}</div>`}<${Ja} metrics=${n.metrics} />
      <div class="small faint"><${oe} at=${e.at} />${n.job&&a` · job <a href=${se("jobs",n.job)}>${n.job}</a>`}</div></li>`}let t=e.decision;return a`<li class="info"><b>${t.
bidding?vn[t.bidding.field]+": ":""}${t.action==="none"?"not changed":t.action}${t.wants?`, wanted ${t.wants}`:""}</b> <span class="soft">by ${t.rule?`${e.file}\
/${t.rule}`:e.by}</span>
    <${zu} d=${t} />${e.outcome&&a`<div class="soft break">${e.outcome}</div>`}<div class="small faint"><${oe} at=${e.at} /> · run <a href=${se("rules","runs",
e.evaluation)}>${e.evaluation}</a>${e.by?` · ${e.state} by ${e.by}`:""}</div></li>`}function Fu({names:e,params:t}){let[n,s]=e;return n==="runs"&&s?a`<${Iu} id=${s} key=${s} />`:n==="why"&&s?a`<${Lu} creative=${s} key=${s} />`:n==="backtest"?a`<${Au} params=${t} />`:
a`<${cm} params=${t} />`}function cm({params:e}){let t=Se("/api/rules",["rules","overview"]),[n,s]=O(""),o=t.data?.stopped,r=t.data&&a`${t.data.rules.length>0&&
a`<a class="button" href="#/rules/backtest">Backtest …</a>`}
    ${o==null?Ge("operator")&&a`<button class="danger" onClick=${()=>s("stop")}>Stop all campaign actions …</button>`:Ge("admin")&&a`<button class="primary" onClick=${()=>s(
"start")}>Start campaign actions …</button>`}`;return a`<${Ue} title="Rules" sub="Rules that change creatives, budgets and bids automatically, and the switch that stops all campaign actions." acts=${r}>
    <${ht} result=${t}>${d=>a`
      <${um} stopped=${d.stopped} />
      <${pm} runs=${d.runs.filter(c=>c.state==="held")} rules=${d.held} />
      <${hm} week=${d.week} rules=${d.rules} runs=${d.runs} />
      <${fm} files=${[...new Set(d.rules.map(c=>c.file))]} />
      <${gm} rules=${d.rules} text=${e.text} />
      <${xm} runs=${d.runs} />`}<//>
    ${n&&a`<${tl} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}function um({stopped:e}){return e==null?a`<${ue} level="good" says="Campaign actions are on" hint="Changes by rules and by hand are carried out." />`:a`<${ue} level="bad" says=${`\
Campaign actions are stopped${e?": "+e:""}`} hint="No creative, budget or bid is changed. Jobs that come meanwhile end without a change." />`}function pm({runs:e,
rules:t}){let n=r=>{let d=t[r.id];return d?`${d.rules.length>1?"Rules":"Rule"} ${d.rules.join(", ")} of the file ${r.file}, for ${d.campaigns.slice(0,3).join(",\
 ")}${d.campaigns.length>3?` and ${C(d.campaigns.length-3)} more`:""}`:`A run of the file ${r.file}`},[s,o]=O("");return a`${e.map(r=>a`<${ue} key=${r.id} level="warn" says=${a`${n(
r)}: ${Ws(r)}${js(r)===(r.counts?.held??0)&&go(r)===0?", waiting for approval":","} <${Ts} at=${r.at} />`} hint=${r.why}>
      <div class="acts-line">${Ge("operator")&&a`<button class="primary small" onClick=${()=>o(r.id)}>Approve …</button>`}<a class="button small" href=${se("r\
ules","runs",r.id)}>Details</a></div><//>`)}
    ${s&&a`<${vo} id=${s} way="approve" onClose=${()=>o("")} onDone=${()=>{}} />`}`}function hm({week:e,rules:t,runs:n}){if(t.length===0)return null;let s=$=>e.
reduce((w,T)=>w+T[$],0),o=pt()-7*864e5,r=n.filter($=>bo($)&&Date.parse($.at)>o).length,d=zn(o),c=zn(pt()-864e5);return a`<${Q} title="This week" flush side=${a`<span class="faint small">the last seven days</span>`}>
    ${e.length===0?a`<${Re} title="The rules changed nothing">No rule has paused or resumed anything, nothing waits, and each rule can decide.<//>`:a`<${nt} name="week" rows=${e} columns=${[
["Rule",$=>$.rule],["Paused",$=>$.pauses,!0],["Resumed",$=>$.resumes,!0],["Budgets, bids",$=>$.numbers,!0],["Waits",$=>$.held,!0],["Cannot decide on",$=>$.blind,
!0]]}>${$=>a`<tr key=${$.rule}>
        <td class="strong break"><a href=${"#/rules"+je({text:$.rule})}>${$.rule}</a></td>
        <td class="num" data-name="Paused">${C($.pauses)}</td><td class="num" data-name="Resumed">${C($.resumes)}</td><td class="num" data-name="Budgets, bids">${C(
$.numbers)}</td>
        <td class="num" data-name="Waits">${$.held?a`<b class="warn-ink">${F($.held,"run")}</b>`:"0"}</td><td class="num" data-name="Cannot decide on">${$.blind?
a`<b class="warn-ink">${C($.blind)}</b>`:"0"}</td></tr>`}<//>`}
    <div class="foot">${F(s("pauses"),"pause")}, ${F(s("resumes"),"resume")}, ${F(s("numbers"),"change")} of budgets and bids.${r>0&&` The stop switch held back\
 ${F(r,"run")}.`} What the rules save: ${[...new Set(t.map($=>$.file))].map($=>a`<a href=${"#/rules/backtest"+je({file:$,from:d,to:c})}>backtest of ${$}</a> `)}</div><//>`}
function fm({files:e}){let[t,n]=O("");return e.length===0?null:a`<${Q} title="What would they do now?" side=${a`<div>${e.map(s=>a`<button class="small" aria-label=${`\
Preview ${s}`} aria-pressed=${s===t} onClick=${()=>n(s===t?"":s)}>${s}</button> `)}</div>`}>
    ${t?a`<${mm} file=${t} key=${t} />`:a`<p class="soft">Choose a rule file. It is decided on the platform's reports as they are now, and nothing is changed.</p>`}<//>`}
function mm({file:e}){let t=Se("/api/rules/preview"+je({file:e}));return a`<${ht} result=${t}>${n=>a`<p>${Ws({counts:n.counts,state:"done"})}. Nothing was changed.</p>
    ${n.decisions.length>0&&a`<${nt} name="preview" rows=${Fs(n.decisions)} columns=${[["Creative",s=>s.creative||s.campaign],["Would",s=>s.action],["Why",s=>s.
rule]]}>${s=>a`<tr key=${s.key}><td><${Sa} d=${s} /></td><td><${zs} is=${s.action} />${s.wants&&a`<div class="note">wants ${s.wants}</div>`}</td><td class="whole break">${s.
rule}<div class="note">${Ns(s)}</div></td></tr>`}<//>`}`}<//>`}var $m=e=>e.extras.filter(t=>["for","min_age","notify"].includes(t.key));function gm({rules:e,text:t=""}){
if(e.length===0)return a`<${Q} title="Rules"><${Re} title="No rules">Rules are written in files, which whoever runs usher lists in its configuration.<${xa}>usher rules backtest FILE<//><//><//>`;
let[n,s]=O(null),[o,r]=O(null),d=e.filter(c=>`${c.name} ${c.scope} ${c.extras.map($=>`${$.key} ${$.value}`).join(" ")} ${c.says}`.toLowerCase().includes(t.toLowerCase()));
return a`<${Q} title="Rules" flush side=${e.length>8&&a`<div><${Dn} label="Search rules …" value=${t} onText=${c=>tt({text:c})} /></div>`}>
    <${nt} rows=${d} columns=${[["Rule",c=>c.name],["Does",c=>c.says],["Last",c=>c.last&&Date.parse(c.last),!0],["Next",c=>c.next&&Date.parse(c.next),!0]]}>${c=>a`<tr key=${c.
name}>
        <td><span class="id">${c.name}</span> <span class="tag">${Cs(c.mode)}</span><${qs} p=${c.paused} /><div class="note">${c.scope}${c.window&&` · ${c.window}`}</div>${$m(
c).map($=>a`<div class="note">${$.key} ${$.value}</div>`)}
          ${Ge("operator")&&a`<div class="inline-acts"><button class="bare small lane" onClick=${()=>r(c)} aria-label=${`Run ${c.name} now`}>Run now …</button> <button class="bare small lane" onClick=${()=>s(
c)} aria-label=${`${c.paused?"Resume":"Pause"} ${c.name}`}>${c.paused?"Resume this rule …":"Pause this rule …"}</button></div>`}</td>
        <td class="whole">${c.activeHours&&a`<div class="break">pause outside <code>${c.activeHours}</code></div>`}${c.pause&&a`<div class="break">${c.mode==="n\
otify"?"notify":"pause"} when <code>${c.pause}</code></div>`}${c.resume&&a`<div class="break">resume when <code>${c.resume}</code></div>`}${c.bidding&&a`<${ym} b=${c.
bidding} />`}</td>
        <td class="num" data-name="Last"><${oe} at=${c.last} /></td>
        <td class="num" data-name="Next"><div>${c.next?a`<${oe} at=${c.next} />`:a`<span class="faint">on request</span>`}${c.schedule&&a`<div class="note">${c.
schedule}</div>`}</div></td></tr>`}<//>${n&&a`<${wm} rule=${n} onClose=${()=>s(null)} />`}${o&&a`<${vm} rule=${o} onClose=${()=>r(null)} />`}${d.length===0&&a`<${Re} title="No rule matches" />`}<//>`}
var bm={act:"What it decides is carried out at once: it may change creatives, budgets or bids.",approve:"What it decides waits until somebody approves it.",notify:"\
It reports what it finds, and changes nothing.",observe:"It records what it would do, and changes nothing."};function vm({rule:e,onClose:t}){let n=async()=>{let{
id:s}=await Ie("/api/rules/run",{file:e.file,rule:e.name.slice(e.file.length+1)});location.hash=se("rules","runs",s)};return a`<${Ve} title=${`Run rule ${e.name}\
 now?`} act="Run" onAct=${n} onClose=${t}>
    <p>It decides on the platform's reports as they are now. ${bm[e.mode]}</p>
  <//>`}function wm({rule:e,onClose:t}){let[n,s]=O(""),o=e.paused?"resume":"pause",r=async()=>{await Ie(`/api/rules/${o}`,{file:e.file,rule:e.name.slice(e.file.
length+1),reason:n}),Ye(`Rule ${e.name} is ${o}d`)};return a`<${Ve} title=${`${e.paused?"Resume":"Pause"} rule ${e.name}?`} act=${e.paused?"Resume":"Pause"} danger=${!e.
paused} ready=${n.trim()} onAct=${r} onClose=${t}>
    <p>${e.paused?"It decides again at its next time. Nothing of the pause is made up for.":"It takes no decisions until somebody resumes it. Creatives that it \
has paused stay paused; what it decided before is carried out."}</p>
    <${Oe} name="Reason" hint="Shown beside the rule, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${n} onInput=${d=>s(
d.target.value)} data-first /><//>
  <//>`}function ym({b:e}){return a`${e.decrease&&a`<div class="break">decrease the ${e.number} when <code>${e.decrease}</code></div>`}${e.increase&&a`<div class="break">increase the ${e.
number} when <code>${e.increase}</code></div>`}<div class="note">${e.by}</div>`}function xm({runs:e}){return a`<${Q} title="Runs" flush side=${a`<span class="faint small">newest first</span>`}>
    ${e.length===0?a`<${Re} title="No runs yet">Rules run on their schedule, or at once by Run now.<//>`:a`<${nt} name="runs" rows=${e.slice(0,50)} columns=${[[
"Run",t=>t.id],["State",t=>t.state],["Decisions",t=>Object.values(t.counts??{}).reduce((n,s)=>n+s,0)],["When",t=>Date.parse(t.at),!0]]}>${t=>a`<tr key=${t.id}>
        <td><a class="id" href=${se("rules","runs",t.id)}>${t.id}</a><div class="note">${t.undoOf?`undoes ${t.undoOf}`:t.rule?`${t.file}/${t.rule}`:t.file}${t.event?
" · event":""}</div></td>
        <td><${pr} is=${t.state} /></td>
        <td class="whole">${Ws(t)}<div class="note">${t.by?`${t.by}${t.reason?": "+t.reason:""}`:t.why}</div></td>
        <td class="num" data-name="When"><${oe} at=${t.at} /></td></tr>`}<//>
      <div class="foot">${F(e.length,"run")}${e.length>=100?", newest only":""}</div>`}<//>`}function tl({way:e,onClose:t,onDone:n}){let[s,o]=O(""),r=e==="stop",
d=async()=>{await Ie(r?"/api/stop":"/api/start",r?{reason:s}:{}),Ye(r?"Campaign actions are stopped":"Campaign actions are started"),n()};return a`<${Ve} title=${r?
"Stop all campaign actions?":"Start campaign actions again?"} act=${r?"Stop":"Start"} danger=${r} ready=${!r||s.trim()} onAct=${d} onClose=${t}>
    <p>${r?"No job changes a creative, budget or bid, whether it comes from a rule or a person. Running jobs stop before their next call. Only an admin can star\
t campaign actions again.":"Jobs that came meanwhile have ended and do not run again. The next run of each rule decides anew."}</p>
    ${r&&a`<${Oe} name="Reason" hint="Shown to everyone, and recorded in the audit."><input type="text" required maxlength="1000" value=${s} onInput=${c=>o(c.target.
value)} data-first /><//>`}
  <//>`}function Wu({params:e}){let t=e.span==="day"?"day":"",n=Se("/api/overview"+je({span:t}),["overview"]);return a`<${Ue} title="Overview" sub="What is running, what is waiting, and what needs attention.">
    <${ht} result=${n}>${s=>a`${!s.counted&&a`<${ue} says="The jobs are being counted." hint="usher has just started, and still reads the records: the numbers of jobs below grow until it has read them all." />`}<${km} needs=${s.
needs} lanes=${s.lanes} /><${ur} />
      <${Tm} o=${s} />
      <div class="grid two-one">
        <div class="stack">
          <${Am} t=${s.throughput} span=${t} />
          <${Pm} rows=${s.changes} />
          <${Em} rows=${s.running} />
          <${Mm} hours=${s.hours} />
        </div>
        <div class="stack"><${Im} p=${s.platform} /><${zm} lanes=${s.lanes} /></div>
      </div>`}<//>
  <//>`}function km({needs:e,lanes:t}){let[n,s]=O(null),o=()=>s(null),r=er().state?.services.some(d=>d.since);return e.length?a`<section class="card" aria-label="What needs attention"><div class="flush incidents">${e.
map(d=>a`<${jm} key=${d.subject||d.says+d.about} n=${d} onAct=${()=>s(d)} />`)}</div>
    ${n&&a`<${_m} n=${n} lanes=${t} onClose=${o} />`}</section>`:a`<${ue} level=${r?"":"good"} says=${r?"Nothing else needs attention.":"Nothing needs attention\
."} hint="No failed jobs, no run that waits for approval, and no lane is stalled." />`}var Nu={"Fix and replay":"operator",Approve:"operator","Look now":"operat\
or","Approve export":"operator","Resume lane":"admin","Start campaign actions":"admin"};function _m({n:e,lanes:t,onClose:n}){switch(e.act){case"Fix and replay":
return a`<${$o} cause=${{class:e.class,message:e.says,hint:e.hint,count:e.count}} filter=${{group:e.subject}} onClose=${n} />`;case"Look now":return a`<${cr} feed=${e.
subject} way="look" onClose=${n} />`;case"Approve export":return a`<${cr} feed=${e.subject} versions=${e.versions} way="approve" onClose=${n} />`;case"Approve":
return a`<${vo} id=${e.subject} way="approve" onClose=${n} onDone=${()=>{}} />`;case"Resume lane":return a`<${qu} lane=${t.find(s=>s.name===e.subject)??{name:e.
subject,paused:"?"}} onClose=${n} />`}return a`<${tl} way="start" onClose=${n} onDone=${()=>{}} />`}var Cm=e=>{let t=e.class||e.act==="Resume lane"||e.says.startsWith(
"Lane")?"job":e.act==="Approve"?"change":e.act==="Approve export"?"export":"";return t&&(e.count===1?t:t+"s")};function jm({n:e,onAct:t}){let n=Nu[e.act]&&Ge(Nu[e.
act]);return a`<div class="incident ${e.level}">
    <div class="what"><div class="says">${e.class?a`<span title=${e.class}>${Ht(e.class)}</span>${bn(e.target)&&`: ${bn(e.target,e.targetName)}`}`:a`<${Tt} text=${e.
says} />`}</div>
      ${e.class?a`<div class="break"><${Tn} kind=${e.kind} target=${e.target} name=${e.targetName} />: <${Dt} text=${e.says} /></div>`:e.about&&a`<div class="soft"><${Tt} text=${e.
about} /></div>`}
      <${oa} text=${e.hint} of=${e.class} /></div>
    <div class="facts-line">${e.count>0&&a`<span class="nowrap"><b>${C(e.count)}</b> ${Cm(e)}</span>`}${e.since&&a`<${Ts} at=${e.since} />`}${e.recent&&a`<${Sm} counts=${e.
recent} />`}</div>
    <div class="acts">${n&&a`<button class="primary small" onClick=${t}>${e.act} …</button>`}
      ${e.where!=="/"&&a`<a class="button small" href=${"#"+e.where}>${n?"Details":"Open"}</a>`}</div>
  </div>`}function Sm({counts:e}){let t=Math.max(1,...e),n=e.reduce((s,o)=>s+o,0);return a`<span class="nowrap" title="in each five minutes of the last hour"><svg class="trend" width="48" height="16" viewBox="0 0 48 16" role="img" aria-label=${`${F(
n,"letter")} in the last hour`}>
    ${e.map((s,o)=>a`<rect key=${o} x=${o*4} y=${16-Math.max(1,15*s/t)} width="3" height=${Math.max(1,15*s/t)} />`)}</svg> <span class="faint small">${C(n)} in 1 h</span></span>`}
function Tm({o:e}){let t=s=>e.states[s]??0,n=e.hours.reduce((s,o)=>({done:s.done+o.done,failed:s.failed+o.failed}),{done:0,failed:0});return a`<div class="figures">
    <${_t} name="Throughput" meaning=${qe.rows} value=${e.throughput.rows===null?"–":Bn(Math.round(e.throughput.rows))} unit="rows/s" note=${e.throughput.bytes===
null?"not measured yet":ks(e.throughput.bytes)+"/s sent"} />
    <${_t} name="Running" meaning=${qe.running} value=${C(t("running"))} note=${t("retrying")?F(t("retrying"),"waits for its next attempt","wait for their next \
attempt"):"none waits for its next attempt"} href="#/jobs?state=running,retrying" />
    <${_t} name="Queued" meaning=${qe.queued} value=${C(t("queued"))} note="not started yet" href="#/jobs?state=queued" />
    <${_t} name="Done in 24 h" meaning=${qe.done} value=${C(n.done)} note="jobs" href="#/jobs?state=done" />
    <${_t} name="Dead letters" meaning=${qe.letters} value=${C(e.letters)} note=${n.failed?`${C(n.failed)} failed in 24 h`:"none failed in 24 h"} href="#/letters" bad=${e.
letters>0} />
  </div>`}function Dm(){let e=Se("/api/marks");return Ce(()=>{let t=setInterval(()=>document.hidden||e.reload(),3e4);return()=>clearInterval(t)},[]),e.data?.marks}
var Rm=[["","15 min"],["day","24 h"]];function Am({t:e,span:t}){let n=Dm(),s=Yt(()=>[e.series.map(o=>o.at),e.series.map(o=>o.read),e.series.map(o=>o.accepted)],
[e]);return a`<${Q} title="Throughput" side=${a`<${ka} label="Time" value=${t} onPick=${o=>tt({span:o})} options=${Rm} />`}>
    <${Ca} data=${s} values=${Bn} min=${10} unit="rows/s" counts marks=${n} label=${`Rows a second of all workers over the last ${t?"24 hours":"15 minutes"}; no\
w ${e.rows===null?"not known":C(e.rows)}`}
      lines=${[["read","--c-suppressed"],["accepted","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function Mm({hours:e}){let t=Yt(()=>[e.map(n=>n.at),e.map(
n=>n.done+n.failed||null),e.map(n=>n.failed||null)],[e]);return a`<${Q} title="Finished jobs" side=${a`<span class="faint small">by hour, last 24</span>`}>
    <${Ca} height=${140} data=${t} values=${Bn} min=${4} unit="jobs" counts label="Finished jobs by hour"
      lines=${[["finished","--c-accepted",{paths:zi(),filled:"--c-accepted"}],["failed","--c-refused",{paths:zi(),filled:"--c-refused"}]]} /><//>`}function Em({
rows:e}){return a`<${Q} title="Running now" flush side=${a`<a class="small" href="#/jobs">All jobs</a>`}>
    ${e.length===0?a`<${Re} title="Nothing is running">Running jobs are listed here with their progress.<//>`:a`<${nt} name="running" rows=${e} columns=${[["Job",
t=>t.id],["State",t=>t.state],["Rows",t=>t.read,!0],["Progress"]]}>${t=>a`<tr key=${t.id}><td><a class="id" href=${se("jobs",t.id)}>${t.id}</a><div class="note"><${Tn} kind=${t.
kind} target=${t.target} name=${t.targetName} /></div></td>
        <td><${sa} is=${t.state} /></td><td class="num" data-name="Rows">${C(t.read)}</td><td class="whole"><${Gi} row=${t} /></td></tr>`}<//>`}<//>`}function Pm({
rows:e}){return e.length===0?null:a`<${Q} title="What changed" flush side=${a`<a class="small" href="#/audiences">Audiences</a>`}>
    <${nt} name="changes" rows=${e} columns=${[["Audience",t=>bn(t.target,t.targetName)],["Change"],["When",t=>Date.parse(t.finished),!0]]}>${t=>a`<tr key=${t.id}><td>${t.
target.startsWith("segment ")?a`<a class="id" href=${se("audiences",t.target)}>${bn(t.target,t.targetName)}</a>`:bn(t.target)}</td>
        <td class="whole"><a href=${se("jobs",t.id)}><${Es} r=${t} /></a></td><td class="num" data-name="When"><${oe} at=${t.finished} /></td></tr>`}<//><//>`}function Im({
p:e}){let[t,n]=O(!1),s=Object.entries(e.answers??{}).sort();return a`<${Q} title="Platform" side=${a`<span class="badge ${e.up?"good":"bad"}">${e.up?"up":e.refused?
"login refused":"down"}</span>`}>
    <dl class="facts">
      <dt>Address</dt><dd class="mono">${e.url}</dd>
      <dt>Advertiser</dt><dd class="mono">${e.advertiser}</dd>
      <dt>Limit</dt><dd>${dn(e.limit)} calls/s${e.limit!==e.configured&&a` <span class="tag">set by hand</span>`}
        ${Ge("admin")&&a` <button class="bare small" onClick=${()=>n(!0)} aria-label="Set the limit">Set</button>`}</dd>
      <dt>Asks to wait</dt><dd>${e.retryAfter?a`until <${oe} at=${e.retryAfter} />`:"no"}</dd>
      <dt>Workers</dt><dd>${C(e.workers)}</dd>
      <dt>Answers</dt><dd>${s.length===0?a`<span class="faint">none yet</span>`:s.map(([o,r])=>a`<span class="nowrap"><span class="tag">${o==="none"?"no answer":
o}</span> ${C(r)}</span> `)}
        <div class="faint small">counted by this process since it started</div></dd>
    </dl>${t&&a`<${Om} p=${e} onClose=${()=>n(!1)} />`}<//>`}function Om({p:e,onClose:t}){let[n,s]=O(""),[o,r]=O(""),d=async()=>{await Ie("/api/limit",{perSecond:Number(
n)||0,reason:o}),Ye(Number(n)?`The limit is ${dn(Number(n))} calls a second`:"The configured limit applies again")};return a`<${Ve} title="Calls a second" act="Set" ready=${o.
trim()} onAct=${d} onClose=${t}>
    <p>The limit for all workers together; it applies within seconds. The configured limit is ${dn(e.configured)}.</p>
    <${Oe} name="Limit" hint="Leave empty to use the configured limit."><input type="number" min="0" step="any" inputmode="decimal" value=${n} onInput=${c=>s(c.
target.value)} data-first /><//>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${o} onInput=${c=>r(c.target.value)} /><//>
  <//>`}function zm({lanes:e}){let[t,n]=O(null);return a`<${Q} title="Lanes" flush>
    <${nt} look="tight" name="lanes" rows=${e} columns=${[["Lane",s=>s.name],["Waiting",s=>s.waiting,!0,qe.waiting],["Running",s=>s.running,!0,qe.taken],["Oldes\
t",s=>s.oldest&&-Date.parse(s.oldest),!0]]}>${s=>a`<tr key=${s.name}><td><span class="strong">${s.name}</span><div class="note">${s.paused?a`<span class="bad-ink">paused by ${s.
paused}</span>`:F(s.slots,"slot")+" here"}</div>
          ${Ge("admin")&&a`<button class="bare small lane" aria-label=${`${s.paused?"Resume":"Pause"} lane ${s.name}`} onClick=${()=>n(s)}>${s.paused?"Resume":"\
Pause"}</button>`}</td>
        <td class="num">${C(s.waiting)}</td><td class="num">${C(s.running)}</td>
        <td class="num">${s.oldest?a`<span title=${It(s.oldest)}>${co(s.oldest).replace(" ago","")}</span>`:a`<span class="faint none">–</span>`}</td></tr>`}<//>${t&&
a`<${qu} lane=${t} onClose=${()=>n(null)} />`}<//>`}function qu({lane:e,onClose:t}){let[n,s]=O(""),o=e.paused?"resume":"pause",r=async()=>{await Ie(`/api/lanes/${e.
name}/${o}`,{reason:n}),Ye(`Lane ${e.name} is ${o}d`)};return a`<${Ve} title=${`${e.paused?"Resume":"Pause"} lane ${e.name}?`} act=${e.paused?"Resume":"Pause"} danger=${!e.
paused} ready=${n.trim()} onAct=${r} onClose=${t}>
    <p>${e.paused?"Workers take its jobs again.":"Within seconds, workers stop taking jobs from this lane. Running jobs continue; waiting jobs say why they wait\
."}</p>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${n} onInput=${d=>s(d.target.value)} data-first /><//>
  <//>`}var Hu=e=>JSON.stringify(e,null,2),Ga=e=>F(e,"letter");function Uu({letter:e,onClose:t,onEdit:n}){return a`<${Ve} title=${`Letter ${e.seq}`} wide onClose=${t}>
    <${ue} level="bad" says=${a`<span title=${e.class}>${Ht(e.class)}</span>: <${Dt} text=${e.message} />`} hint=${e.hint} of=${e.class} />
    <dl class="facts">
      <dt>Job</dt><dd>${e.id?a`<a href=${se("jobs",e.id)} onClick=${t}>${e.id}</a>`:"unreadable"}${e.run>1?`, run ${e.run}`:""}</dd>
      <dt>Does</dt><dd><${Tn} kind=${e.kind} target=${e.target} /></dd>
      <dt>Failed</dt><dd>${It(e.at)}</dd>
      <dt>Attempts</dt><dd>${F(e.attempts,"attempt")}${e.crashes?`, ${F(e.crashes,"crash","crashes")}`:""}</dd>
      ${e.edited&&a`<dt>Edited</dt><dd>${(e.edited.fields??[]).map(s=>Ha(s.slice(1).replaceAll("/","."))).join(", ")} by ${e.edited.by}${e.edited.reason?`: ${e.
edited.reason}`:""}</dd>`}
    </dl>
    ${e.job?a`<dl class="facts">${Os(e.job).filter(([s])=>!["id","v"].includes(s)).slice(0,12).map(([s,o])=>a`<dt>${Ha(s)}</dt><dd class="break">${ra(o)}</dd>`)}</dl>
      <details><summary>The job as it was published</summary><pre class="block">${Hu(e.job)}</pre></details>`:a`<p class="soft">The job cannot be read.</p>`}
    ${Ge("operator")&&e.job&&a`<div><button type="button" onClick=${n}>Edit this job …</button></div>`}
  <//>`}function Bu({filter:e,onClose:t,onDone:n}){let[s,o]=O(null),[r,d]=O(""),[c,$]=O(""),[w,T]=O(!1),[E,v]=O("");Ce(()=>{let q=!1;return o(null),d(""),Ln("/a\
pi/letters/plan"+je({...e,seqs:e.seqs?.join(","),force:w})).then(re=>q||o(re),re=>q||d(re.message)),()=>{q=!0}},[w]);let j=async()=>{await Ie("/api/letters/repl\
ay",{filter:{...e,through:s.through},rate:Number(c)||0,force:w,reason:E}),Ye(`${F(s.count,"job")} will be replayed`),n()},U=Math.max(s?.seconds??0,Number(c)>0?s?.
count/Number(c):0);return a`<${Ve} title="Replay" wide act=${s?`Replay ${F(s.count,"job")}`:"Replay"} ready=${s?.count>0} onAct=${j} onClose=${t}>
    ${r&&a`<${Xt} says=${r} />`}
    ${!s&&!r&&a`<${nn} />`}
    ${s&&a`<p><b>${F(s.count,"job")}</b> will be published again as their next run, and their letters removed. Uploads continue where they stopped.${U>10?` This\
 takes at least ${Zt(U)}.`:""}</p>
      ${s.groups.length>0&&a`<ul class="stack small">${s.groups.slice(0,6).map(q=>a`<li><b>${C(q.count)}</b> ${Ht(q.class)} · ${_s(q.kind,q.target)}</li>`)}</ul>`}
      ${s.skipped>0&&a`<${ue} level="warn" says=${`${Ga(s.skipped)} skipped`}>
        ${s.left.map(q=>a`<div class="small break">${q.id??`letter ${q.seq}`}: ${q.why}</div>`)}<//>`}`}
    <${Oe} name="Pace" hint="Jobs a second. Empty: as fast as the limits allow."><input type="number" min="0" step="any" inputmode="decimal" placeholder="no limit" value=${c} onInput=${q=>$(
q.target.value)} data-first /><//>
    <${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Le.user}.`}><input type="text" maxlength="1000" value=${E} onInput=${q=>v(q.target.value)} /><//>
    <label class="check"><input type="checkbox" checked=${w} onChange=${q=>T(q.target.checked)} /><span>Include jobs that a newer job superseded, and jobs that would add ids again that were removed since</span></label>
  <//>`}function Ju({filter:e,count:t,onClose:n,onDone:s}){let[o,r]=O(""),d=async()=>{let{discarded:c}=await Ie("/api/letters/discard",{filter:e,reason:o});Ye(`${Ga(
c)} discarded`),s()};return a`<${Ve} title=${`Discard ${Ga(t)} for good?`} act=${`Discard ${Ga(t)}`} danger ready=${o.trim()} onAct=${d} onClose=${n}>
    <p>Discarded letters cannot be replayed. The jobs' records are kept.</p>
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${o} onInput=${c=>r(c.target.value)} data-first /><//>
  <//>`}function Ku({filter:e,letter:t,onClose:n,onDone:s}){let[o,r]=O(t?Hu(t.job):""),[d,c]=O(""),[$,w]=O(""),[T,E]=O(""),[v,j]=O(null),U=()=>{if(!t)return{set:{
[d.trim()]:$}};try{return{job:JSON.parse(o)}}catch{throw new Error("This is not a complete job: check its commas, quotes and brackets.")}},q=async()=>{let ye={...U(),
reason:T};if(!v)throw j(await Ie("/api/letters/edit",{filter:e,edit:{...ye,dryRun:!0}})),new Error("");let de=await Ie("/api/letters/edit",{filter:e,edit:ye});if(de.
edited===0)throw new Error(de.says||"The edit changes nothing.");Ye(`${Ga(de.edited)} edited${de.refused?`, ${C(de.refused)} could not be edited`:""}`),s(de.now??
[])},re=ye=>de=>{ye(de.target.value),j(null)};return a`<${Ve} title=${t?`Edit the job of letter ${t.seq}`:"Edit all selected letters"} wide
      act=${v?`Edit ${Ga(v.edited)}`:"Preview"} ready=${v?v.edited>0&&T.trim():t||d.trim()} onAct=${q} onClose=${n}>
    ${t?a`<${Oe} name="Job" hint="Ids are shown as their number, and the secret part of an address as ?…: keep them as they are shown, and the job keeps its values."><textarea class="code" spellcheck=${!1} value=${o} onInput=${re(
r)} data-first></textarea><//>`:a`<${Oe} name="Field" hint="Its name in the job, such as segment or source.column."><input type="text" class="mono" value=${d} onInput=${re(
c)} data-first /><//>
        <${Oe} name="Value" hint="The new value. The word null removes the field."><input type="text" class="mono" value=${$} onInput=${re(w)} /><//>`}
    ${v&&a`<${ue} level=${v.refused?"warn":"good"} says=${`${Ga(v.edited)} to be edited${v.same?`, ${C(v.same)} unchanged`:""}${v.refused?`, ${C(v.refused)} ref\
used`:""}`} hint=${v.says} />
      ${v.example&&a`<div class="small soft">Changed fields: ${v.example.fields.map(ye=>a`<span class="tag mono">${ye}</span> `)}</div>`}`}
    <${Oe} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${T} onInput=${ye=>E(ye.target.value)} /><//>
  <//>`}var nl=50,Lm=20,al="Sort the rows on this page",Fm=e=>({id:e.id,kind:e.kind,class:e.class,group:e.group,match:e.match,replay:e.replay}),Gu=e=>Object.fromEntries(
Object.entries(e).filter(([,t])=>t)),Us=e=>tt({after:"",page:"",...e});function Vu({params:e}){let t=Fm(e),n={...t,group:""},s=Se("/api/letters/groups"+je(n),["\
letters"]),o=s.data?.groups??s.stale?.groups,r=o?.reduce((w,T)=>w+T.count,0),d=e.group&&o?.find(w=>w.group===e.group),c=e.group?d?.count??0:r,$=Object.keys(Gu(t)).
length>0;return a`<${Ue} title="Dead letters" sub="Failed jobs by cause. Fix the cause, then replay them: each job continues where it stopped.">
    <${ur} />
    <div class="filters">
      <${Dn} label="Search target or message …" value=${e.match} onText=${w=>Us({match:w,group:""})} />
      <${Kn} label="Cause" value=${e.class} onPick=${w=>Us({class:w,group:""})} options=${[["","All causes"],...Object.entries(Fn).map(([w,{title:T}])=>[w,T])]} />
      <${Kn} label="Kind" value=${e.kind} onPick=${w=>Us({kind:w,group:""})} options=${Ji} />
    </div>
    ${e.replay&&a`<div><span class="tag">failed again after a replay</span> <button class="small bare" onClick=${()=>Us({replay:""})}>show all letters</button></div>`}
    ${e.id&&a`<div><span class="tag">job ${e.id}</span> <button class="small bare" onClick=${()=>Us({id:""})}>show all jobs</button></div>`}
    ${s.error&&a`<${Xt} says=${s.error} retry=${s.reload} />`}
    ${o?o.length===0?a`<div class="card">${$?a`<${Re} title="No dead letter matches">Remove a filter to see other letters.<//>`:a`<${Re} title="No dead letters">No job has failed.<//>`}</div>`:
a`<${Nm} list=${o} picked=${e.group} /><${Hm} filter=${t} total=${c} params=${e} key=${JSON.stringify(t)} />`:!s.error&&a`<div class="card"><${nn} /></div>`}
  <//>`}function Nm({list:e,picked:t}){let[n,s]=O(null);return a`<${Q} title="Causes" flush side=${a`<span class="faint small">${F(e.length,"cause")}, campaigns first, then the oldest</span>`}>
    <${nt} name="causes" rows=${e.slice(0,50)} columns=${[["Letters",o=>o.count,!0,qe.letters],["Cause",o=>Ht(o.class)],["What",o=>o.message],["Last",o=>Date.parse(
o.last),!0],[a`<span class="sr">What to do</span>`]]}>${o=>a`<tr key=${o.group}>
        <td class="num strong" data-name="Letters">${C(o.count)}</td>
        <td class="whole"><b title=${o.class}>${Ht(o.class)}</b><div class="note"><${Tn} kind=${o.kind} target=${o.target} name=${o.targetName} /></div></td>
        <td class="break whole"><${Dt} text=${o.message} /><${oa} text=${o.hint} of=${o.class} /></td>
        <td class="num" data-name="Last"><${oe} at=${o.last} /></td>
        <td class="right whole nowrap">${Ge("operator")&&a`<button class="small" onClick=${()=>s(o)} aria-label=${`Fix and replay ${F(o.count,"letter")}: ${o.message}`}>Fix and replay …</button> `}<button class="small" aria-pressed=${t===
o.group} onClick=${()=>Us({group:t===o.group?"":o.group})}>${t===o.group?"Show all":"Only these"}</button></td>
      </tr>`}<//>
    ${n&&a`<${$o} cause=${n} filter=${{group:n.group}} onClose=${()=>s(null)} />`}<//>`}var sl=new Map,$r={all:!1,seqs:[]};function Wm(e,t,n){let s=t.letters.map(
d=>d.seq),o=n?0:s[0]??1/0,r=s.at(-1)??(t.more?0:1/0);return e.filter(d=>s.includes(d)||d<o||d>r)}function qm(e){let t=(e.after??"").split(",").filter(Boolean),n=t.
length?Math.max(2,Number(e.page)||2):1,s=(o,r)=>"#/letters"+je({...e,after:o.slice(-Lm).join(),page:o.length?r:""});return{page:n,after:t.at(-1)??"",earlier:n>1&&
s(t.slice(0,-1),n-1),later:o=>s([...t,o],n+1)}}function Hm({filter:e,total:t,params:n}){let{page:s,after:o,earlier:r,later:d}=qm(n),c=JSON.stringify(e),$=sl.get(
c)??$r,[,w]=O(0),T=ie=>{sl.set(c,ie),w(be=>be+1)},[E,v]=O(null),j=Se("/api/letters"+je({...e,after:o,limit:nl}),["letters"]),U=j.data??j.stale,q=$.all?t:$.seqs.
length,re=$.all?Gu(e):{seqs:$.seqs},ye=()=>T($r),de=ie=>{let be=$.all?U.letters.map(un=>un.seq):$.seqs;T({all:!1,seqs:be.includes(ie)?be.filter(un=>un!==ie):[...be,
ie]})};if(Ce(()=>{let ie=sl.get(c)??$r;if(!j.data||ie.all)return;let be=Wm(ie.seqs,j.data,s===1);be.length<ie.seqs.length&&T({all:!1,seqs:be})},[j.data]),!U)return j.
error?a`<${Xt} says=${j.error} retry=${j.reload} />`:a`<div class="card"><${nn} /></div>`;let at=U.letters.map(ie=>ie.seq),Pe=$.all||at.length>0&&at.every(ie=>$.
seqs.includes(ie)),Ke=Ge("operator");return a`${j.error&&a`<${Xt} says=${j.error} retry=${j.reload} />`}<section class="card" inert=${!j.data} aria-busy=${!j.data}>
      <div class="top"><h2>Letters</h2>${Ke&&t>0&&a`<button class="small" onClick=${()=>T({all:!0,seqs:[]})}>Select all ${C(t)} that match</button>`}</div>
      <div class="flush"><${nt} look=${`cards ${Ke?"ticks":""}`} rows=${U.letters} columns=${[["Job",ie=>ie.id,!1,al],["Why",ie=>ie.class,!1,al],["When",ie=>Date.
parse(ie.at),!0,al]]}
        first=${Ke&&a`<th class="tick"><input type="checkbox" aria-label="Select this page" checked=${Pe} onChange=${()=>T(Pe?$r:{all:!1,seqs:[...new Set([...$.
seqs,...at])]})} /></th>`}>${ie=>a`<tr key=${ie.seq}>
          ${Ke&&a`<td class="tick"><input type="checkbox" aria-label=${`Select letter ${ie.seq}`} checked=${$.all||$.seqs.includes(ie.seq)} onChange=${()=>de(ie.
seq)} /></td>`}
          <td><button class="bare id small" onClick=${()=>v({show:ie})}>${ie.id??"no id"}</button><div class="note"><${Tn} kind=${ie.kind} target=${ie.target} name=${ie.
targetName} /></div></td>
          <td class="whole"><b title=${ie.class}>${Ht(ie.class)}</b><div class="break"><${Dt} text=${ie.message} /></div></td>
          <td class="num" data-name="When"><div><${oe} at=${ie.at} /><div class="note">letter ${ie.seq}</div></div></td></tr>`}<//></div>
      ${at.length===0&&a`<${Re} title="No letters here any more">They were replayed or discarded.<//>`}
      ${(s>1||U.more)&&a`<div class="foot"><span class="acts">${r?a`<a class="button small" href=${r}>Earlier</a>`:a`<button class="small" disabled>Earlier</button>`}</span>
        <span>page ${C(s)}${t>nl?` of ${C(Math.max(s,Math.ceil(t/nl)))}`:""}, oldest first</span>
        <span class="acts">${U.more?a`<a class="button small" href=${d(at.at(-1))}>Later</a>`:a`<button class="small" disabled>Later</button>`}</span></div>`}
    </section>
    ${Ke&&q>0&&a`<div class="selection" role="group" aria-label="Actions on the selected letters">
      <span class="says"><b>${F(q,"letter")}</b> selected${$.all?", all that match":""}</span>
      <button class="bare" onClick=${ye}>Clear</button>
      <button class="danger" onClick=${()=>v({discard:!0})}>Discard …</button>
      <button onClick=${()=>v({edit:!0})}>Edit …</button>
      <button onClick=${()=>v({replay:!0})}>Replay …</button>
      <button class="primary" onClick=${()=>v({fix:!0})}>Fix and replay …</button></div>`}
    ${E?.fix&&a`<${$o} cause=${{count:q,message:$.all?"All letters that match":"The selected letters"}} filter=${re} onClose=${()=>v(null)} onDone=${ye} />`}
    ${E?.show&&a`<${Uu} letter=${E.show} onClose=${()=>v(null)} onEdit=${()=>v({edit:!0,letter:E.show})} />`}
    ${E?.replay&&a`<${Bu} filter=${re} onClose=${()=>v(null)} onDone=${ye} />`}
    ${E?.discard&&a`<${Ju} filter=${re} count=${q} onClose=${()=>v(null)} onDone=${ye} />`}
    ${E?.edit&&a`<${Ku} filter=${E.letter?{seqs:[E.letter.seq]}:re} letter=${E.letter??($.seqs.length===1&&U.letters.find(ie=>ie.seq===$.seqs[0]))}
      onClose=${()=>v(null)} onDone=${ie=>!E.letter&&!$.all&&T({all:!1,seqs:ie})} />`}`}var Yu=e=>e.spend?.budget>0?e.spend.spent/e.spend.budget:null,rl=.95;function Um({c:e}){return e.at?e.error&&e.active+e.paused+e.pending===0?a`<span class="bad-ink small break">${e.
error}</span>`:a`<span class="nowrap"><b class=${e.active?"good-ink":""}>${C(e.active)}</b> active${e.paused>0&&a`, <b class="warn-ink">${C(e.paused)}</b> paused`}${e.
pending>0&&`, ${C(e.pending)} pending`}</span>
    <div class="bar thin" aria-hidden="true">${[["active","c-accepted"],["paused","c-junk"],["pending","c-duplicate"]].map(([t,n])=>e[t]>0&&a`<i class=${n} style=${{
flexGrow:e[t]}}></i>`)}</div>`:a`<span class="faint">being read …</span>`}function Bm({all:e}){return e.length?e.map(t=>a`<div class="small break">${t.rule?a`rule <a href=${"\
#/rules"+je({text:t.rule})}>${t.rule}</a>`:t.actor||"outside usher"}${e.length>1&&a` <span class="faint">${C(t.count)}</span>`}</div>`):a`<span class="faint none">–</span>`}
function Jm({s:e}){if(!e)return a`<span class="faint">not known</span>`;let t=e.budget>0?e.spent/e.budget:null;return a`<div class="spend" title=${`on ${e.date}`}><span class="nowrap">${lo(
e.spent)}${t!==null&&` of ${lo(e.budget)}`} ${e.currency}</span>
    ${t!==null&&a`<meter class=${t>=rl?"high":""} min="0" max="1" value=${Math.min(t,1)} aria-label=${`${Math.round(t*100)} % of the budget of ${e.date} is spen\
t`}></meter><span class="small ${t>=rl?"warn-ink":"faint"}">${Math.round(t*100)} %</span>`}</div>`}var Km=[{key:"name",title:"Campaign",card:!1,value:e=>e.code,
cell:e=>a`<a class="id" href=${se("campaigns",e.code)}>${e.code}</a>`},{key:"creatives",title:"Creatives",num:!1,value:e=>e.at?-e.paused:null,meaning:"Sort by t\
he number of paused creatives",cell:e=>a`<${Um} c=${e} />`},{key:"by",title:"Paused by",value:e=>e.pausedBy[0]&&(e.pausedBy[0].rule||e.pausedBy[0].actor||"~"),cell:e=>a`<div><${Bm} all=${e.
pausedBy} /></div>`},{key:"spend",title:"Spend and budget",value:Yu,num:!1,meaning:"Sort by the share of the budget that is spent",cell:e=>a`<${Jm} s=${e.spend} />`},
{key:"held",title:"Held",num:!0,value:e=>e.held,meaning:"Changes that wait for approval",cell:e=>e.held?a`<a class="badge warn" href=${se("rules","runs",e.heldRun)}>${C(
e.held)} held</a>`:a`<span class="faint none">–</span>`},{key:"last",title:"Last change",num:!0,value:e=>e.last&&Date.parse(e.last.at),cell:e=>e.last?a`<span title=${`${e.
last.what}: ${e.last.reason}`}><${oe} at=${e.last.at} /><div class="note">${e.last.by}</div></span>`:a`<span class="faint none">–</span>`}],ol={"":()=>!0,paused:e=>e.
paused>0,held:e=>e.held>0,spent:e=>Yu(e)>=rl};function Zu({params:e}){let t=Se("/api/campaigns",["campaigns","rules"]);return a`<${Ue} title="Campaigns" sub="What serves, what is paused and by whom, and how much of the day's budget is spent. Spend, and what was changed outside usher, is at most some minutes old.">
    <${ht} result=${t}>${({campaigns:n,spendError:s})=>{let o=(e.text??"").toLowerCase(),r=n.filter(w=>w.code.toLowerCase().includes(o)),d=r.filter(ol[e.only]??
ol[""]),c=w=>r.filter(ol[w]).length,$=n.filter(w=>!w.at).length;return a`<div class="filters"><${Dn} label="Search campaigns …" value=${e.text} onText=${w=>tt(
{text:w})} />
          <${ka} label="Which" value=${e.only} onPick=${w=>tt({only:w})} options=${[["","All",r.length],["paused","With pauses",c("paused")],["held","Held",c("h\
eld")],["spent","95 % spent",c("spent")]]} /></div>
        ${s&&a`<${ue} level="warn" says="Spend and budgets are not known now" hint=${s} />`}
        <${Q} flush>${d.length===0?a`<${Re} title=${n.length?"No campaign matches":"No campaigns"}>${n.length?"Remove a filter to see other campaigns.":"The pla\
tform lists no campaigns for this advertiser."}<//>`:a`<${Is} label="Campaigns" columns=${Km} rows=${d.slice(0,500)} params=${e} id=${w=>w.code} href=${w=>se("c\
ampaigns",w.code)} />
            <div class="foot"><span>${F(d.length,"campaign")}${d.length>500?", the first 500 are shown":""}</span>${$>0&&a`<span>the creatives of ${C($)} are being read</span>`}</div>`}<//>`}}<//>
  <//>`}var Xu="The platform's times have no zone, so they are shown as the platform sends them.";function tp({code:e}){let t=Se("/api/campaigns/"+encodeURIComponent(e),
["audit","jobs","rules"]),[n,s]=O([]),[o,r]=O(""),d=t.data,c=Ge("operator"),$=w=>s(n.includes(w)?n.filter(T=>T!==w):[...n,w]);return a`<${Ue} title=${e} crumb=${a`<a href="#/campaigns">Campaigns</a>`}
      sub=${d&&a`${F(d.creatives.length,"creative")}, ${C(d.creatives.filter(w=>w.status==="ACTIVE").length)} active`}
      acts=${d&&c&&a`<button class="danger" onClick=${()=>r("pause")}>Pause ${n.length?C(n.length):"all"} …</button>
        <button onClick=${()=>r("resume")}>Resume ${n.length?C(n.length):"all"} …</button>`}>
    <${ht} result=${t}>${w=>a`
      ${w.holder&&a`<${ue} level="warn" says=${`Locked by ${w.holder}`} hint="A worker is changing this campaign or reading back its changes." />`}
      ${w.lockError&&a`<${ue} level="warn" says="It is not known whether a worker has locked this campaign" hint=${w.lockError} />`}
      ${w.jobs.map(T=>a`<${ue} key=${T.id} says=${a`<${sa} is=${T.state} /> ${_s(T.kind,T.target)}`} hint=${T.why||T.id} where=${se("jobs",T.id)} />`)}
      ${w.partial&&a`<p class="small soft">So many jobs have not ended that only the newest were looked through for those of this campaign: <a href=${"#/jobs"+je(
{state:"queued,running,retrying",text:e})}>search all</a>.</p>`}
      <div class="grid two-one">
        <div class="stack"><${Q} title="Creatives" flush>${w.creatives.length===0?a`<${Re} title="No creatives" />`:a`<${nt} look=${`cards ${c?"ticks":""}`} rows=${w.
creatives} columns=${[["Creative",T=>T.code],["Status",T=>T.status],["Last change on the platform",T=>T.updated||null,!0]]}
          first=${c&&a`<th class="tick"><input type="checkbox" aria-label="Select all creatives" checked=${n.length===w.creatives.length} onChange=${()=>s(n.length?
[]:w.creatives.map(T=>T.code))} /></th>`}>${T=>a`<tr key=${T.code}>${c&&a`<td class="tick"><input type="checkbox" aria-label=${`Select ${T.code}`} checked=${n.includes(
T.code)} onChange=${()=>$(T.code)} /></td>`}
            <td class="strong break"><a class="id" href=${se("rules","why",T.code)} title="Its history">${T.code}</a><${Qi} s=${w.kept[T.code]} />${T.message&&a`<div class="note">${T.
message}</div>`}</td><td><${sa} is=${T.status} /></td>
            <td class="num" data-name="Changed">${T.updated?a`<span class="nowrap" title=${Xu}>${T.updated.replace("T"," ").replace(/\.\d+$/,"")} <span class="faint">no zone</span></span>`:
"–"}</td></tr>`}<//>
            ${w.creatives.some(T=>T.updated)&&a`<div class="foot">${Xu}</div>`}`}<//><${Vm} creatives=${w.creatives} changes=${w.changes} /></div>
        <div class="stack"><${Gm} rules=${w.rules??[]} kept=${w.kept[e]} code=${e} /><${Xm} entries=${w.history} code=${e} /></div>
      </div>`}<//>
    ${o&&a`<${e$} code=${e} verb=${o} creatives=${n} all=${d.creatives.length} onClose=${()=>r("")} onDone=${()=>s([])} />`}
  <//>`}function Gm({rules:e,kept:t,code:n}){return a`<${Q} title="Rules in scope" side=${a`<${mr} code=${n} campaign=${n} kept=${t} what="budget and bid" />`}>${t&&
a`<p><b>Budget and bid</b><${Qi} s=${t} /></p>`}${e.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${e.map(s=>a`<li><a href=${"#/rules"+je({text:s.
name})} class="break">${s.name}</a> <span class="tag">${Cs(s.mode)}</span><${qs} p=${s.paused} /><div class="small soft break">${s.says}</div></li>`)}</ul>`}<//>`}
var Qu=28;function Vm({creatives:e,changes:t}){let n=Array.from({length:Qu},(r,d)=>zn(pt()-(Qu-1-d)*864e5)),s=[...fr([...t].reverse(),r=>r.creative,r=>zn(r.at))].
sort(([r],[d])=>r.localeCompare(d,"en",{numeric:!0})),o=new Map(e.map(r=>[r.code,r.status]));return a`<${hr} title="Creatives by day" days=${n} legend=${[["","a\
ctive"],["pause","paused at the end of the day"],["changed","changed, and active again"]]}
    lines=${s.filter(([r])=>o.has(r)).map(([r,d])=>[r,Ym(n,d,o.get(r))])} />`}function Ym(e,t,n){let s=[];for(let o of[...e].reverse()){let r=t.get(o)??[],d=r.map(
c=>`${ln(c.at)} ${Ut(c.before)} → ${Ut(c.after)} by ${[c.by,c.reason].filter(Boolean).join(": ")}`).join(`
`);s.unshift({look:n==="INACTIVE"?"pause":r.length?"changed":"",title:`${o}: ${d||Ut(n)}`}),n=r[0]?.before||n}return s}function Zm(e){let t=[];for(let n of e){let s=t.
at(-1);s&&n.job&&s[0].job===n.job&&s[0].run===n.run?s.push(n):t.push([n])}return t}function Xm({entries:e,code:t}){return a`<${Q} title="History" side=${a`<a class="small" href=${"\
#/audit"+je({campaign:t})}>Open in audit</a>`}>
    ${e.length===0?a`<p class="soft">usher has not changed its creatives.</p>`:a`<ul class="line">${Zm(e).slice(0,20).map(([n,...s])=>a`
      <li class=${n.after==="ACTIVE"?"good":n.after==="INACTIVE"?"warn":""}>
        <${ep} a=${n} />${s.length>0&&a`<details class="small"><summary>and ${C(s.length)} more by this job</summary>${s.map(o=>a`<${ep} a=${o} />`)}</details>`}
        <div class="small soft break">${[n.rule||n.actor,n.reason].filter(Boolean).join(": ")}</div>
        <${Ja} metrics=${n.metrics} /><div class="small faint"><${oe} at=${n.at} /></div></li>`)}</ul>`}<//>`}var ep=({a:e})=>a`<div><b class="break">${e.creative||
(e.bidding?vn[e.bidding.field]:"campaign")}</b> <span class="small">${Ut(e.before)} → ${Ut(e.after)}${e.after!==e.wanted?` (wanted ${Ut(e.wanted)})`:""}</span></div>`;
function Qm({code:e,creatives:t}){let n=Se(`/api/campaigns/${encodeURIComponent(e)}/reversals?${t.map(s=>"creative="+encodeURIComponent(s)).join("&")}`);return n.
error?a`<${ue} level="warn" says="It is not known whether a rule would pause them again" hint=${n.error} />`:n.data?a`${n.data.map(s=>a`<${ue} key=${s.rule+s.reason} level="warn" says=${a`Rule ${s.
rule} would ${s.asks?"ask to pause":"pause"} ${s.creatives.slice(0,3).join(", ")}${s.creatives.length>3?` and ${C(s.creatives.length-3)} more`:""} again ${s.next?
a`in its next run, <${oe} at=${s.next} />`:"when it runs next"}`} hint=${s.reason} />`)}
    ${n.data.length===0&&a`<p class="soft">No rule would pause them again by the numbers of now.</p>`}`:a`<p class="soft">Asking the rules …</p>`}function e$({
code:e,verb:t,creatives:n,all:s,onClose:o,onDone:r}){let[d,c]=O(""),[$,w]=O(""),T=n.length||s,E=async()=>{let{id:v}=await Ie(`/api/campaigns/${encodeURIComponent(
e)}/${t}`,{creatives:n,reason:d,keep:$});Ye(`${t==="pause"?"Pausing":"Resuming"} ${F(T,"creative")}: job ${v}`),r()};return a`<${Ve} title=${`${t==="pause"?"Pau\
se":"Resume"} ${F(T,"creative")}?`} act=${t==="pause"?"Pause":"Resume"} danger=${t==="pause"} ready=${d.trim()&&$!==Ka} onAct=${E} onClose=${o}>
    <p>${n.length?n.join(", "):`All creatives of ${e}`} ${t==="pause"?"stop":"start"} being served. ${t==="pause"?"Rules do not resume what is paused by hand.":
"A rule whose condition holds may pause them again in its next run, unless you keep rules from them."}</p>
    ${t==="resume"&&a`<${Qm} code=${e} creatives=${n} />`}
    <${el} until=${$} onUntil=${w} />
    <${Oe} name="Reason" hint=${`Recorded in the audit with your name, ${Le.user}.`}><input type="text" required maxlength="1000" value=${d} onInput=${v=>c(v.target.
value)} data-first /><//>
  <//>`}function t$({w:e}){return e.gone?a`<span class="faint">nothing</span>`:e.jobs.length===0?a`<span class="soft">waits for jobs</span>`:a`<div>${e.jobs.slice(0,4).
map(t=>a`<div class="small break"><a href=${se("jobs",t)}>${t}</a></div>`)}${e.jobs.length>4&&a`<div class="small faint">and ${C(e.jobs.length-4)} more</div>`}</div>`}
function n$({w:e}){return e.gone?a`<span class="badge bad">gone</span>`:Object.keys(e.slots??{}).length===0?a`<span class="badge warn">stopping</span>`:e.down?a`<span class="badge bad">${e.
refused?"login refused":"platform down"}</span>`:a`<span class="badge good">works</span>`}var a$=[{key:"name",title:"Worker",card:!1,value:e=>e.name,cell:e=>a`<span class="strong break">${e.
name}</span>`},{key:"state",title:"State",value:e=>Number(e.gone),cell:e=>a`<${n$} w=${e} />${e.gone&&a`<div class="note">last heard <${oe} at=${e.heard} /></div>`}`},
{key:"doing",title:"Does",cell:e=>a`<${t$} w=${e} />`},{key:"slots",title:"Slots by lane",cell:e=>a`<div class="small">${Object.entries(e.slots??{}).filter(([,t])=>t>
0).map(([t,n],s)=>a`${s>0&&", "}<span class="nowrap">${t} ${C(n)}</span>`)}</div>`},{key:"version",title:"Version",value:e=>e.version,cell:e=>a`<span class="small break">${e.
version||"older"}</span>`},{key:"memory",title:"Memory",num:!0,value:e=>e.memory||null,cell:e=>e.memory?ks(e.memory):a`<span class="faint none">–</span>`},{key:"\
since",title:"Since",num:!0,value:e=>e.since&&Date.parse(e.since),cell:e=>a`<${oe} at=${e.since} />`}];function np({params:e}){let t=Se("/api/workers",["overvie\
w"]);return a`<${Ue} title="Workers" sub="The processes that carry out jobs. A worker that stops is listed as gone for a day.">
    <${ht} result=${t}>${({workers:n})=>{let s=[...new Set(n.filter(r=>!r.gone).map(r=>r.version))],o=n.filter(r=>r.gone).length;return a`${s.length>1&&a`<${ue} level="warn" says=${`${C(
s.length)} versions run at the same time`} hint="This is right during an update, and not for longer." />`}
        <${Q} flush>${n.length===0?a`<${Re} title="No worker answers">Jobs wait until one is started.<${xa}>usher run<//><//>`:a`<${Is} label="Workers" columns=${a$} rows=${n} params=${e} id=${r=>r.
name} /><div class="foot">${F(n.length-o,"worker")}${o>0?`, ${C(o)} gone`:""}</div>`}<//>`}}<//>
  <//>`}var s$=[["","All times"],["1h","Last hour"],["24h","Last 24 hours"],["168h","Last 7 days"],["720h","Last 30 days"]],il=50,gr="Sort the rows on this page",o$=[["\
When",e=>Date.parse(e.at),!1,gr],["Who",e=>e.rule||e.actor,!1,gr],["What",e=>e.creative||e.after||e.wanted,!1,gr],["Why",e=>e.reason,!1,gr]];function ap({params:e}){
let t=e.span&&new Date(Math.floor(pt()/6e4)*6e4-parseInt(e.span)*36e5).toISOString(),n={match:e.match,campaign:e.campaign,actor:e.actor,job:e.job,rule:e.rule,since:t},
s=Math.max(il,Number(e.limit)||il),o=Se("/api/audit"+je({...n,limit:s}),["audit"]),r=o.data??o.stale,d=["campaign","actor","job","rule"].filter(c=>e[c]);return a`<${Ue} title="Audit" sub="Who did what, when and why. Kept for 400 days."
      acts=${a`<a class="button" href=${"/api/audit/export"+je({...n,format:"ndjson"})} download>Export NDJSON</a><a class="button" href=${"/api/audit/export"+je(
{...n,format:"csv"})} download>Export CSV</a>`}>
    <div class="filters">
      <${Dn} label="Search actor, reason, creative, job …" value=${e.match} onText=${c=>tt({match:c,limit:""})} />
      <${Kn} label="Time" value=${e.span} onPick=${c=>tt({span:c,limit:""})} options=${s$} />
    </div>
    ${d.length>0&&a`<div class="filters">${d.map(c=>a`<button class="small" onClick=${()=>tt({[c]:""})} aria-label=${`Remove the filter ${c}`}>${c}: ${e[c]} ×</button>`)}</div>`}
    ${o.error&&a`<${Xt} says=${o.error} retry=${o.reload} />`}
    <section class="card">${r?r.entries.length===0?a`<${Re} title=${e.match||d.length||e.span?"Nothing matches":"No actions yet"}>Pauses, resumes, replays, edits, discards and uses of the stop switch are listed here.<//>`:
a`<${nt} columns=${o$} rows=${r.entries}>${(c,$)=>a`<tr key=${c.at+c.job+c.creative+$}>
          <td data-name="When"><${oe} at=${c.at} /></td>
          <td data-name="Who"><a href=${"#/audit"+je(c.rule?{rule:c.rule}:{actor:c.actor})}>${c.rule||c.actor||"–"}</a></td>
          <td class="whole"><${r$} a=${c} /></td>
          <td class="whole break">${c.reason}<${Ja} metrics=${c.metrics} /></td></tr>`}<//>
        <div class="foot"><span>${F(r.entries.length,"entry","entries")}, newest first</span>${r.more&&s<200&&a`<button class="small" onClick=${()=>tt({limit:String(
Math.min(s+il,200))})}>Show more</button>`}${r.more&&s>=200&&a`<span>More than ${C(s)} entries match: narrow the search or export them.</span>`}</div>`:!o.error&&
a`<${nn} />`}</section>
  <//>`}function r$({a:e}){let t=e.job&&a`<div class="note">job <a href=${se("jobs",e.job)}>${e.job}</a>${e.run>1?`, run ${e.run}`:""}</div>`;return e.creative?
a`<span class="strong break">${e.creative}</span> ${Ut(e.before)} → ${Ut(e.after)}${e.after!==e.wanted?a` <span class="bad-ink">(wanted ${Ut(e.wanted)})</span>`:
""}
      <div class="note">campaign <a href=${se("campaigns",e.campaign)}>${e.campaign}</a></div>${t}`:e.job?a`<span class="strong">${e.wanted}</span>${e.before?` \
(was ${e.before})`:""}${t}`:a`<span class="strong">${/^(stopped|started)$/.test(e.after)?`campaign actions ${e.after}`:e.after}</span>`}var i$=[["","Overview",cn.overview],["audiences","Audiences",cn.audiences],["jobs","Jobs",cn.jobs],["letters","Dead letters",cn.letters],["campaigns","Campaigns",
cn.campaigns],["rules","Rules",cn.rules],["workers","Workers",cn.workers],["audit","Audit",cn.audit]];function l$({names:e,params:t}){let[n="",s]=e;switch(n){case"":
return a`<${Wu} params=${t} />`;case"jobs":return s?a`<${fu} id=${s} key=${s} />`:a`<${bu} params=${t} />`;case"letters":return a`<${Vu} params=${t} />`;case"au\
diences":return s==="overlap"?a`<${wu} params=${t} />`:s?a`<${xu} target=${s} key=${s} />`:a`<${iu} params=${t} />`;case"campaigns":return s?a`<${tp} code=${s} key=${s} />`:
a`<${Zu} params=${t} />`;case"rules":return a`<${Fu} names=${e.slice(1)} params=${t} />`;case"workers":return a`<${np} params=${t} />`;case"audit":return a`<${ap} params=${t} />`}
return a`<${Ue} title="Page not found" sub=${a`<a href="#/">Back to the overview</a>`} />`}Zc();function d$(){let[e,t]=O(As());return Ce(()=>{let n=()=>t(As()),
s=sr(n);return n(),s},[]),a`<button class="bare small" onClick=${Ms} aria-label=${e?"Light colours":"Dark colours"} title=${e?"Light colours":"Dark colours"}><span class="icon">${cn.
theme}</span></button>`}function c$(){return a`<button class="bare small" onClick=${()=>ws(!Sn())} title=${Sn()?"Times are in UTC; show them in this computer's \
zone":`Times are in this computer's zone, ${ro()}; show them in UTC`} aria-label=${Sn()?"Times in UTC":"Times in local zone"}>${ro()}</button>`}function u$({onLeave:e}){
let t=Fc(),n=Se("/api/overview",["letters","overview"]),s=nu(t.names),o=n.data?.letters??0,r=()=>Ie("/api/logout").then(()=>e("You have logged out."),d=>e(d.message));
return a`<a class="skip" href="#main" onClick=${d=>{d.preventDefault(),document.querySelector("h1")?.focus()}}>Skip to content</a>
    <div class="frame">
      <header class="side">
        <a class="brand" href="#/">${cn.brand}usher</a>
        <nav class="nav" aria-label="Pages">
          ${i$.map(([d,c,$])=>a`<a href="#/${d}" aria-current=${(t.names[0]??"")===d?"page":void 0}>${$}<span>${d==="letters"?a`<span class="long">Dead </span>letters`:
c}</span>
            ${d==="letters"&&o>0&&a`<span class="count" aria-label=${F(o,"dead letter")}>${o>999?"999+":C(o)}</span>`}</a>`)}
        </nav>
        <div class="me">
          <div class="who"><b>${Le.user}</b><span class="faint small">${Le.role}</span></div>
          <div class="row"><${d$} /><${c$} /><button class="bare small" onClick=${r} title="Log out" aria-label="Log out"><span class="icon">${cn.leave}</span></button></div>
        </div>
      </header>
      <main id="main" class="${s.stale?"stale":""} ${s.well?"":"unwell"}"><${au} status=${s} />${l$(t)}</main>
    </div><${eu} /><${Jc} />`}var ll={expired:"Your session has expired: sessions end after two hours without use, and after twelve hours.",forgotten:"usher doe\
s not know your session any more: it was restarted and had not stored it.",barred:"Your password has changed, you may not log in any more, or the proxy names an\
other user.",unread:"usher cannot check your session, because NATS does not respond. This page tries it again by itself."};function p$(){let[e,t]=O(Le.user),[n,
s]=O(ll[Le.absent]),[,o]=O(0);Ce(()=>{Oc(async()=>{Le.user&&(io(),Le.user="",await xs().catch(()=>{}),s(ll[Le.absent]??"Your session has ended: you have logged \
out in another tab."),t(""))}),window.addEventListener("zone",()=>o(c=>c+1))},[]);let r=async()=>{await xs(),s(ll[Le.absent]),t(Le.user),Le.user&&Ti()},d=c=>{io(),
Le.user="",s(c),t("")};return e?a`<${u$} key=${Sn()?"utc":"local"} onLeave=${d} />`:a`<${su} why=${n} onIn=${r} />`}function sp(){!Le.user||na().names[0]!=="log\
in"||(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")))}window.addEventListener("hashchange",sp);Object.assign(Le,JSON.parse(document.
getElementById("session").textContent));sp();Le.user&&Ti();var op=document.getElementById("app");op.replaceChildren();$i(a`<${p$} />`,op);
/*! https://github.com/leeoniya/uPlot (v1.6.32) */
